// The command of die_picture: reads the arguments from stdin and writes a PNG to stdout.

import { readFileSync } from 'node:fs';
import { drawDie } from '../desk/die.mjs';

const { eyes } = JSON.parse(readFileSync(0, 'utf8'));
process.stdout.write(drawDie(eyes));
