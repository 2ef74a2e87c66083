import fc from 'fast-check';
import t from 'tap';
import { longest, parseMarkdown } from '../../web/markdown/blocks.js';
import { parseInline, safeAddress } from '../../web/markdown/inline.js';
import type { Block, Inline } from '../../web/markdown/tree.js';

/** A short form of a tree, to be read in a table. */
function inlines(all: readonly Inline[]): string {
  return all
    .map((each) => {
      if (each.is === 'text') return each.text;
      if (each.is === 'break') return '<br>';
      if (each.is === 'code') return `<code>${each.text}</code>`;
      if (each.is === 'link') return `<a ${each.href}>${inlines(each.inside)}</a>`;
      return `<${each.is}>${inlines(each.inside)}</${each.is}>`;
    })
    .join('');
}
function blocks(all: readonly Block[]): string {
  return all
    .map((each) => {
      switch (each.is) {
        case 'heading':
          return `<h${each.level}>${inlines(each.inside)}</h>`;
        case 'paragraph':
          return `<p>${inlines(each.inside)}</p>`;
        case 'code':
          return `<pre>${each.text}</pre>`;
        case 'quote':
          return `<quote>${blocks(each.blocks)}</quote>`;
        case 'rule':
          return '<hr>';
        case 'list':
          return `<list ${each.start ?? '-'}>${each.items.map((item) => `<li>${blocks(item)}</li>`).join('')}</list>`;
        default:
          return `<table>${[each.head, ...each.rows].map((row) => row.map(inlines).join('|')).join('/')}</table>`;
      }
    })
    .join('');
}

const inlineRows: readonly (readonly [text: string, read: string])[] = [
  ['plain', 'plain'],
  ['**a** and __b__', '<strong>a</strong> and <strong>b</strong>'],
  ['*a* and _b_ and ~~c~~', '<em>a</em> and <em>b</em> and <del>c</del>'],
  ['**a *b* c**', '<strong>a <em>b</em> c</strong>'],
  ['*a **b** c*', '<em>a <strong>b</strong> c</em>'],
  ['snake_case_name', 'snake_case_name'],
  ['2 * 3 * 4', '2 * 3 * 4'],
  ['**never ended', '**never ended'],
  ['`a*b*`', '<code>a*b*</code>'],
  ['``a`b``', '<code>a`b</code>'],
  ['`` ` ``', '<code>`</code>'],
  ['a ` b', 'a ` b'],
  ['\\*a\\*', '*a*'],
  ['a\\\nb', 'a<br>b'],
  ['a  \nb', 'a  <br>b'],
  ['a\nb', 'a\nb'],
  ['[a](https://b.example/c)', '<a https://b.example/c>a</a>'],
  ['[**a**](https://b.example)', '<a https://b.example/><strong>a</strong></a>'],
  ['<https://b.example>', '<a https://b.example/>https://b.example</a>'],
  ['see https://b.example/x.', 'see <a https://b.example/x>https://b.example/x</a>.'],
  ['![a](https://b.example/i.png)', '<a https://b.example/i.png>a</a>'],
  ['[a](javascript:alert(1))', 'a (javascript:alert(1))'],
  ['[a](data:text/html,x)', 'a (data:text/html,x)'],
  ['[a](/local)', 'a (/local)'],
  ['[a] (b)', '[a] (b)'],
  ['<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
];

t.test('what stands within a line', (t) => {
  for (const [text, expected] of inlineRows) t.equal(inlines(parseInline(text)), expected, text);
  t.end();
});

const blockRows: readonly (readonly [text: string, read: string])[] = [
  ['a\nb\n\nc', '<p>a\nb</p><p>c</p>'],
  ['# a\n### b ##\n#c', '<h1>a</h><h3>b</h><p>#c</p>'],
  ['```js\na  b\n\nc\n```\nd', '<pre>a  b\n\nc</pre><p>d</p>'],
  ['```\nnever ended', '<pre>never ended</pre>'],
  ['- a\n- b', '<list -><li><p>a</p></li><li><p>b</p></li></list>'],
  ['3. a\n4. b', '<list 3><li><p>a</p></li><li><p>b</p></li></list>'],
  ['- a\n  - b\n- c', '<list -><li><p>a</p><list -><li><p>b</p></li></list></li><li><p>c</p></li></list>'],
  ['- a\n\n  b\n\nc', '<list -><li><p>a</p><p>b</p></li></list><p>c</p>'],
  ['a\n- b', '<p>a</p><list -><li><p>b</p></li></list>'],
  ['> a\n> - b\n\nc', '<quote><p>a</p><list -><li><p>b</p></li></list></quote><p>c</p>'],
  ['a\n\n---\n\nb', '<p>a</p><hr><p>b</p>'],
  ['| a | b |\n|---|:-:|\n| 1 | 2 |\n| 3 |', '<table>a|b/1|2/3|</table>'],
  ['a | b', '<p>a | b</p>'],
  ['<script>alert(1)</script>', '<p><script>alert(1)</script></p>'],
  ['a\r\nb', '<p>a\nb</p>'],
];

t.test('what stands in lines of its own', (t) => {
  for (const [text, expected] of blockRows) t.equal(blocks(parseMarkdown(text)), expected, text);
  t.end();
});

t.test('only web addresses become links', (t) => {
  for (const address of [
    'javascript:alert(1)',
    ' javascript:a',
    'java\nscript:a',
    'file:///etc/passwd',
    '//x',
    'blob:http://a/b',
    '',
  ])
    t.equal(safeAddress(address), undefined, JSON.stringify(address));
  t.equal(safeAddress('http://a.example'), 'http://a.example/');
  t.end();
});

t.test('any text is read, and nothing is added to it', (t) => {
  const piece = fc.constantFrom(
    '*',
    '**',
    '_',
    '`',
    '[',
    '](',
    ')',
    '~~',
    '\n',
    '- ',
    '> ',
    '#',
    '1. ',
    '|',
    '\\',
    ' ',
    'a',
    'https://b.c',
    '```',
    '<',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const text = pieces.join('');
      const read = blocks(parseMarkdown(text)).replaceAll(/<[^>]*>/g, '');
      t.ok([...read].filter((character) => character === 'a').length <= text.split('a').length - 1);
    }),
    { numRuns: 300 },
  );
  t.end();
});

t.test('hostile texts are read in linear time', (t) => {
  // Each of them is longer than anybody reads; were the time not linear, this test would not end.
  const n = longest - 10;
  for (const part of [
    '*',
    '**a ',
    '_a ',
    '[',
    '[a](',
    '`',
    '``a`',
    '> ',
    '- ',
    '~~a ',
    '![',
    '<https://',
    '|',
    '# ',
    '\\',
    'https://a.b/)',
    '[[[](x)',
    '- a\n',
    '| - ',
  ])
    parseMarkdown(part.repeat(Math.floor(n / part.length)));
  t.ok(parseMarkdown('a'.repeat(longest + 1)));
  t.end();
});
