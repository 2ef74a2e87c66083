import t from 'tap';
import { removeJson, setJson } from '../../../lib/setup/text/json-edit.js';
import { commentsOf, readJson } from '../../../lib/setup/text/json-text.js';

const tolerant = { comments: true, trailingCommas: true, byteOrderMark: true };
const strict = { comments: false, trailingCommas: false, byteOrderMark: false };

/** A text, and what it is with `{"k": 1}` at `a.leo`. */
const rows: readonly (readonly [string, string, string])[] = [
  ['empty', '', '{\n  "a": {\n    "leo": {\n      "k": 1\n    }\n  }\n}\n'],
  ['white space', ' \n', '{\n  "a": {\n    "leo": {\n      "k": 1\n    }\n  }\n}\n'],
  ['a byte order mark alone', '\ufeff', '\ufeff{\n  "a": {\n    "leo": {\n      "k": 1\n    }\n  }\n}\n'],
  ['an empty object', '{}', '{\n  "a": {\n    "leo": {\n      "k": 1\n    }\n  }\n}'],
  ['an empty object over lines', '{\n}\n', '{\n  "a": {\n    "leo": {\n      "k": 1\n    }\n  }\n}\n'],
  ['a comment alone', '{\n  // c\n}\n', '{\n  // c\n  "a": {\n    "leo": {\n      "k": 1\n    }\n  }\n}\n'],
  [
    'another server',
    '{\n  "a": {\n    "b": {}\n  }\n}\n',
    '{\n  "a": {\n    "b": {},\n    "leo": {\n      "k": 1\n    }\n  }\n}\n',
  ],
  [
    'tabs and CRLF',
    '{\r\n\t"a": {\r\n\t\t"b": {}\r\n\t}\r\n}\r\n',
    '{\r\n\t"a": {\r\n\t\t"b": {},\r\n\t\t"leo": {\r\n\t\t\t"k": 1\r\n\t\t}\r\n\t}\r\n}\r\n',
  ],
  [
    'a comment behind the last server, which stays its own',
    '{\n  "a": {\n    "b": {} // b\n  }\n}\n',
    '{\n  "a": {\n    "b": {}, // b\n    "leo": {\n      "k": 1\n    }\n  }\n}\n',
  ],
  [
    'a trailing comma, which stays',
    '{\n  "a": {\n    "b": {}, // b\n  },\n}\n',
    '{\n  "a": {\n    "b": {}, // b\n    "leo": {\n      "k": 1\n    },\n  },\n}\n',
  ],
  [
    'a comma on a line of its own',
    '{\n  "a": {\n    "b": {} // b\n    ,\n  }\n}\n',
    '{\n  "a": {\n    "b": {} // b\n    ,\n    "leo": {\n      "k": 1\n    },\n  }\n}\n',
  ],
  [
    'comments below the last server',
    '{\n  "a": {\n    "b": {}\n    // end\n  }\n}\n',
    '{\n  "a": {\n    "b": {},\n    "leo": {\n      "k": 1\n    }\n    // end\n  }\n}\n',
  ],
  ['one line', '{"x": 1, "a": {"b": 2}}', '{"x": 1, "a": {"b": 2, "leo": {"k": 1}}}'],
  ['minified', '{"x":1,"a":{"b":2}}', '{"x":1,"a":{"b":2,"leo":{"k":1}}}'],
  ['minified, no servers', '{"x":1,"a":{}}', '{"x":1,"a":{"leo":{"k":1}}}'],
  ['minified, no place for servers', '{"x":1}', '{"x":1,"a":{"leo":{"k":1}}}'],
  [
    'an object that begins on the line of its key',
    '{\n  "a": { "b": {} },\n  "z": 1\n}',
    '{\n  "a": { "b": {}, "leo": {"k": 1} },\n  "z": 1\n}',
  ],
  [
    'no newline at the end, and a closing bracket behind the last value',
    '{\n  "x": 1,\n  "y": 2}',
    '{\n  "x": 1,\n  "y": 2,\n  "a": {\n    "leo": {\n      "k": 1\n    }\n  }\n}',
  ],
  ['braces and slashes in strings', '{"x":"}//{","a":{}}', '{"x":"}//{","a":{"leo":{"k":1}}}'],
];

for (const [what, before, after] of rows) {
  t.test(`JSON with ${what}: an entry goes in without moving anything, and out again`, (t) => {
    const put = setJson(before, ['a', 'leo'], { k: 1 });
    t.equal(put, after);
    t.equal(setJson(put, ['a', 'leo'], { k: 1 }), put, 'a second time changes nothing');
    t.same(commentsOf(put), commentsOf(before));
    const taken = removeJson(put, ['a', 'leo']);
    t.same(commentsOf(taken), commentsOf(before));
    const { a, ...rest } = readJson(taken, 'f', tolerant, []);
    const { a: old, ...others } = readJson(before, 'f', tolerant, []);
    t.same([a, rest], [old ?? {}, others]);
    if (old !== undefined && !what.includes('closing')) t.equal(taken.replace('{\n  }', '{}'), before);
    t.end();
  });
}

t.test('an entry is taken out from between others, and from before them', (t) => {
  const before =
    '{\n  "a": {\n    // one\n    "b": {}, // b\n    "leo": {}, // ours\n    "c": {} // c\n  }\n}\n';
  t.equal(
    removeJson(before, ['a', 'leo']),
    '{\n  "a": {\n    // one\n    "b": {}, // b // ours\n    "c": {} // c\n  }\n}\n',
  );
  t.equal(removeJson('{"a":{"leo":{},"b":1}}', ['a', 'leo']), '{"a":{"b":1}}');
  t.equal(removeJson('{"a": {"c": 2, "leo": {}, "b": 1}}', ['a', 'leo']), '{"a": {"c": 2, "b": 1}}');
  t.equal(removeJson('{"a": {}}', ['a', 'leo']), '{"a": {}}');
  t.end();
});

t.test('a value is replaced in its place', (t) => {
  const before = '{\n  "a": {\n    "leo": {\n      "k": 0, // k\n      "l": [1, 2]\n    }\n  }\n}\n';
  t.equal(setJson(before, ['a', 'leo', 'k'], 1), before.replace('"k": 0', '"k": 1'));
  t.equal(setJson(before, ['a', 'leo', 'l'], [3]), before.replace('[1, 2]', '[3]'));
  t.end();
});

t.test('what a harness could not read is refused with its place', (t) => {
  const refused: readonly (readonly [string, typeof strict, RegExp])[] = [
    ['{\n  "a": {,}\n}', tolerant, /^f line 2, column 9: value expected; mend the file/],
    ['{"a": 1', tolerant, /^f line 1, column 8: close brace expected/],
    ['[]', tolerant, /^f line 1, column 1: an object is wanted here/],
    ['{"a": []}', tolerant, /^f line 1, column 7: an object is wanted here/],
    ['{"a": {"leo": "x"}}', tolerant, /^f line 1, column 15: an object is wanted here/],
    ['{"a": {},\n"a": {}}', tolerant, /^f line 2, column 1: "a" stands here a second time; take one out/],
    ['{"a": {"leo": {},\n "leo": {}}}', tolerant, /^f line 2, column 2: "leo" stands here a second time/],
    ['{"a": {},}', strict, /^f line 1, column 10: /],
    ['{"a": {} /* c */}', strict, /^f line 1, column 10: invalid comment token/],
    ['\ufeff{}', strict, /^f starts with a byte order mark/],
    ['\ufeff{\n  "a": {,}\n}', tolerant, /^f line 2, column 9: /],
  ];
  for (const [text, dialect, words] of refused) {
    t.throws(() => readJson(text, 'f', dialect, ['a', 'leo']), { message: words }, text);
  }
  t.end();
});
