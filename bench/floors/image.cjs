// The image of the bench: a real PNG of 5,000,000 bytes, under the 5 MiB that an agent may be given, of noise
// that no layer could pack.

const { deflateSync, crc32 } = require('node:zlib');

const size = 5_000_000;
const side = 1280;

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const head = Buffer.alloc(4);
  head.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(checksum(body));
  return Buffer.concat([head, body, sum]);
}

/** CRC-32, where Node has none of its own (before 20.15). */
function checksum(bytes) {
  if (crc32 !== undefined) return crc32(bytes);
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

/** The image as an MCP content block. */
exports.image = () => {
  // The same noise in every run (a linear congruential generator), so that runs compare.
  let state = 1;
  const rows = Buffer.alloc(side * (side * 3 + 1));
  for (let at = 0; at < rows.length; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    rows[at] = at % (side * 3 + 1) === 0 ? 0 : state >>> 24;
  }
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0]);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  const pixels = deflateSync(rows, { level: 0 });
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
  const parts = (filler) => [
    signature,
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    // A private chunk that readers skip brings the file to its size.
    chunk('leOx', Buffer.alloc(filler)),
    chunk('IEND', Buffer.alloc(0)),
  ];
  const bare = Buffer.concat(parts(0));
  const data = Buffer.concat(parts(size - bare.length)).toString('base64');
  return { type: 'image', data, mimeType: 'image/png' };
};
