// Draws one side of a die as a PNG, with nothing but zlib.

import { deflateSync } from 'node:zlib';

const side = 96;
const eye = 10;
const left = 24;
const middle = 48;
const right = 72;
const places = {
  1: [[middle, middle]],
  2: [
    [left, left],
    [right, right],
  ],
  3: [
    [left, left],
    [middle, middle],
    [right, right],
  ],
  4: [
    [left, left],
    [left, right],
    [right, left],
    [right, right],
  ],
  5: [
    [left, left],
    [left, right],
    [middle, middle],
    [right, left],
    [right, right],
  ],
  6: [
    [left, left],
    [left, middle],
    [left, right],
    [right, left],
    [right, middle],
    [right, right],
  ],
};

/** The PNG of the side with 1 to 6 eyes. */
export function drawDie(eyes) {
  // One grey byte a pixel; each row begins with its filter, 0 for none.
  const rows = Buffer.alloc(side * (side + 1), 0xf4);
  for (let y = 0; y < side; y++) {
    rows[y * (side + 1)] = 0;
    for (let x = 0; x < side; x++) {
      const dark = places[eyes].some(([row, column]) => Math.hypot(y - row, x - column) < eye);
      if (dark) rows[y * (side + 1) + 1 + x] = 0x22;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.writeUInt8(8, 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  body.copy(whole, 4);
  whole.writeUInt32BE(checksum(body), body.length + 4);
  return whole;
}

/** CRC-32, as PNG wants it. (zlib.crc32 came with Node 22.) */
function checksum(bytes) {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
