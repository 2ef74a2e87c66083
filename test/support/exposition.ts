// Reads metrics as strictly as the exposition format (0.0.4) is written down: every line is help, type or a sample of
// the family above it.

const sampleLine =
  /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{((?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*",?)*)\})? (-?(?:\d+(?:\.\d+)?(?:e[+-]\d+)?|\+Inf|NaN))$/;

/** The value of every sample by its name and labels, as written. */
export function readExposition(text: string): ReadonlyMap<string, number> {
  if (!text.endsWith('\n')) throw new Error('the last line has no end');
  const samples = new Map<string, number>();
  let family: { readonly name: string; type?: string } | undefined;
  for (const line of text.slice(0, -1).split('\n')) {
    const help = /^# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) \S.*$/.exec(line)?.[1];
    const type = /^# TYPE (\S+) (counter|gauge|histogram)$/.exec(line);
    const sample = sampleLine.exec(line);
    if (help !== undefined) family = { name: help };
    else if (type !== null) {
      if (family === undefined || family.name !== type[1] || family.type !== undefined)
        throw new Error(`out of place: ${line}`);
      family.type = type[2] ?? '';
    } else if (sample === null) throw new Error(`no line of the format: ${line}`);
    else {
      const [, name = '', labels, value] = sample;
      const ofFamily = family?.type === 'histogram' ? name.replace(/_(bucket|sum|count)$/, '') : name;
      if (family?.type === undefined || ofFamily !== family.name) throw new Error(`of no family: ${line}`);
      if (family.type === 'counter' && !name.endsWith('_total'))
        throw new Error(`no name of a counter: ${name}`);
      const key = labels === undefined ? name : `${name}{${labels}}`;
      if (samples.has(key)) throw new Error(`twice: ${key}`);
      samples.set(key, Number(value));
    }
  }
  return samples;
}
