import t from 'tap';
import { type ListingSource, listTools } from '../../../lib/gateway/tools/listing.js';
import { catalogueTool } from '../../support/catalogue.js';

const native = {
  mode: 'native',
  dropsRootCombinators: false,
  descriptionLimit: null,
  callLimit: { ms: undefined, progressExtends: false },
} as const;
const fallback = { ...native, mode: 'fallback' } as const;
const source: ListingSource = {
  tools: [catalogueTool('zoom'), catalogueTool('Ask')],
  denied: [],
  treatment: native,
  pair: true,
};
const own = ['leo_app_wait', 'leo_list_agents', 'leo_send_message'];

const rows: readonly [what: string, change: Partial<ListingSource>, names: readonly string[]][] = [
  ['native', {}, ['Ask', ...own, 'zoom']],
  ['native, no app there', { tools: [] }, own],
  ['fallback', { treatment: fallback }, ['leo_app_call', 'leo_app_tools', ...own]],
  ['fallback where no app ever was', { treatment: fallback, pair: false }, own],
  ['native, one denied', { denied: ['ask'] }, [...own, 'zoom']],
  ['native, all denied', { denied: ['*'] }, []],
  [
    'fallback, the pair denied',
    { treatment: fallback, denied: ['leo_app_*'] },
    ['leo_list_agents', 'leo_send_message'],
  ],
];
for (const [what, change, names] of rows) {
  t.test(`lists ${what}`, async (t) => {
    t.strictSame(
      listTools({ ...source, ...change }).tools.map((tool) => tool.name),
      names,
    );
  });
}

t.test('the same tools give the same bytes, in whatever order they come', async (t) => {
  const turned = { ...source, tools: source.tools.toReversed() };
  t.equal(listTools(turned).bytes, listTools(source).bytes);
});
