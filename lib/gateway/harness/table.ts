// The harness table of a gateway: the built-in one, with LEO_HOME/harnesscaps.json on it where there is one.
// Whatever is wrong with that file, the built-in table serves.

import { readFileSync } from 'node:fs';
import type { Log } from '../log.js';
import type { HarnessTable } from './caps.js';

/**
 * Reads the overlay.
 *
 * @param file the path of the overlay; it need not exist.
 * @param log is told what is wrong with it, and what to do.
 */
export async function readTable(builtIn: HarnessTable, file: string, log: Log): Promise<HarnessTable> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return builtIn;
    log(`warning: ${file} cannot be read (${messageOf(error)}): mend or remove it; ${serves}`);
    return builtIn;
  }
  const { overlayHarnesses, parseHarnessOverlay } = await import('../../config/harness-caps.js');
  try {
    return { harnesses: overlayHarnesses(builtIn.harnesses, parseHarnessOverlay(text, file).harnesses) };
  } catch (error) {
    log(`warning: ${messageOf(error)}; ${serves}`);
    return builtIn;
  }
}

const serves = 'until then the built-in table serves';

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
