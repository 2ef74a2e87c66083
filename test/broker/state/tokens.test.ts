// Token files that cannot be believed: none of them lets anybody in, and each is named with its mend.

import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { readTokens } from '../../../lib/broker/state/tokens.js';
import { placesOf } from '../../../lib/config/paths.js';
import { temporaryHome } from '../../support/daemon.js';
import { scopedToken } from '../../support/scoped-token.js';

const clients = { scout: { canMessage: ['rocket'] } };

function home(t: Test) {
  const places = placesOf({ LEO_HOME: temporaryHome(t) });
  mkdirSync(places.state, { mode: 0o700 });
  return places;
}

t.test('tokens are read with whose they are', async (t) => {
  const places = home(t);
  const scout = scopedToken(places.clients, 'scout');
  const phone = scopedToken(places.devices, 'phone');
  const { tokens, warnings, faults } = readTokens(places, clients);
  t.strictSame([warnings, faults], [[], []]);
  t.match(tokens.ownerOf(scout), { role: 'client', name: 'scout', canMessage: ['rocket'] });
  t.match(tokens.ownerOf(phone), { role: 'device', name: 'phone' });
  for (const [path, role] of [
    [places.apiToken, 'operator'],
    [places.agentToken, 'agent'],
  ] as const) {
    t.equal(statSync(path).mode & 0o777, 0o600);
    t.match(tokens.ownerOf(readFileSync(path, 'utf8').trim()), { role });
  }
});

t.test('a token file that is loose, empty, a link, a folder or a copy is nobody\u2019s token', async (t) => {
  const rows: readonly (readonly [
    what: string,
    spoil: (path: string, token: string) => void,
    says: RegExp,
  ])[] = [
    ['loose', (path) => chmodSync(path, 0o640), /can be read by others \(mode 0640\): chmod 600 /],
    ['open to be written', (path) => chmodSync(path, 0o602), /can be read by others .*chmod 600 /],
    ['empty', (path) => writeFileSync(path, ''), /holds no token of 64 hex characters/],
    ['short', (path, token) => writeFileSync(path, token.slice(1)), /holds no token/],
    ['of capitals', (path) => writeFileSync(path, 'A'.repeat(64)), /holds no token/],
    ['huge', (path, token) => writeFileSync(path, token + ' '.repeat(5_000_000)), /holds no token/],
    [
      'a link',
      (path, token) => {
        rmSync(path);
        writeFileSync(`${path}.real`, token, { mode: 0o600 });
        symlinkSync(`${path}.real`, path);
      },
      /is a link; .*rm /,
    ],
    [
      'a link to nowhere',
      (path) => {
        rmSync(path);
        symlinkSync(`${path}.real`, path);
      },
      /is a link/,
    ],
    [
      'a folder',
      (path) => {
        rmSync(path);
        mkdirSync(path);
      },
      /is not a file; move it away/,
    ],
  ];
  for (const [what, spoil, says] of rows) {
    for (const which of ['clients', 'devices', 'apiToken', 'agentToken'] as const) {
      const places = home(t);
      readTokens(places, clients);
      const scoped = which === 'clients' || which === 'devices';
      const path = scoped ? join(places[which], 'scout.token') : places[which];
      const token = scoped ? scopedToken(places[which], 'scout') : readFileSync(path, 'utf8').trim();
      t.ok(readTokens(places, clients).tokens.ownerOf(token), `${which} before`);
      spoil(path, token);
      const { tokens, faults } = readTokens(places, clients);
      t.equal(tokens.ownerOf(token), undefined, `${which}: ${what} lets nobody in`);
      t.match(
        faults.map(({ message }) => message),
        [says],
        `${which}: ${what} is said`,
      );
      t.match(faults[0]?.message, path, 'with its path');
      t.notMatch(faults[0]?.message, token, 'and without the token');
    }
  }
  const places = home(t);
  readTokens(places, clients);
  scopedToken(places.clients, 'scout');
  const stolen = readFileSync(places.apiToken, 'utf8');
  writeFileSync(join(places.clients, 'scout.token'), stolen);
  const { tokens, faults } = readTokens(places, clients);
  t.match(faults[0]?.message, /scout\.token holds the token of .*api\.token/);
  t.match(tokens.ownerOf(stolen.trim()), { role: 'operator' });
});

t.test('what is no token of anybody counts for nothing, and is said', async (t) => {
  const places = home(t);
  const stranger = scopedToken(places.clients, 'stranger');
  const odd = scopedToken(places.devices, 'Odd Name');
  const temporary = scopedToken(places.devices, '.a1b2');
  const { tokens, warnings, faults } = readTokens(places, clients);
  t.strictSame(faults, []);
  for (const token of [stranger, odd, temporary]) t.equal(tokens.ownerOf(token), undefined);
  t.match(warnings.join('\n'), /stranger\.token is of no client that leo\.yaml names/);
  t.match(warnings.join('\n'), /Odd Name\.token counts for nothing: "Odd Name" is no name for a device/);
  t.match(warnings.join('\n'), /the client scout has no token; make one: leo client rotate scout/);
});

t.test(
  'a folder of tokens that is open to others is closed, and a link to one is not followed',
  async (t) => {
    const places = home(t);
    const phone = scopedToken(places.devices, 'phone');
    chmodSync(places.devices, 0o755);
    t.ok(readTokens(places, {}).tokens.ownerOf(phone));
    t.equal(statSync(places.devices).mode & 0o777, 0o700);
    const elsewhere = `${places.state}/elsewhere`;
    const scout = scopedToken(elsewhere, 'scout');
    symlinkSync(elsewhere, places.clients);
    const { tokens, faults } = readTokens(places, clients);
    t.equal(tokens.ownerOf(scout), undefined);
    t.match(faults[0]?.message, /clients is not a folder/);
    t.ok(tokens.ownerOf(phone), 'the others count');
  },
);
