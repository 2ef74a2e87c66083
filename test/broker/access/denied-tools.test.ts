import t from 'tap';
import { deniedByConfig } from '../../../lib/broker/access/denied-tools.js';

const config = {
  denyTools: ['speak'],
  agents: {
    rocket: { denyTools: ['take_photo'] },
    Rocket: { denyTools: ['look*'] },
    turtle: { denyTools: [] },
  },
};

for (const [agent, denied] of [
  ['rocket', ['speak', 'take_photo', 'look*']],
  ['ROCKET', ['speak', 'take_photo', 'look*']],
  ['turtle', ['speak']],
  ['rocket-2', ['speak']],
  ['rock', ['speak']],
  ['constructor', ['speak']],
  ['__proto__', ['speak']],
] as const)
  t.test(`an agent ${agent} is denied ${denied.join(', ')}`, async (t) => {
    t.strictSame(deniedByConfig(config, agent), denied);
  });
