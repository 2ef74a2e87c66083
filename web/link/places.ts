// The paths of the API that the page uses.

export const places = {
  tools: '/api/v1/client-tools',
  calls: '/api/v1/client-tools/requests?pending=1',
  agents: '/api/v1/agents',
  session: '/api/v1/console/session',
  watch: '/api/v1/events',
  provide: (key: string) => `/api/v1/events?${new URLSearchParams({ client_tools: '1', client_key: key })}`,
  group: (group: string, clientId: string) =>
    `/api/v1/client-tools/groups/${group}?${new URLSearchParams({ client_id: clientId })}`,
  request: (id: string, what: 'claim' | 'result' | 'cancel') =>
    `/api/v1/client-tools/requests/${encodeURIComponent(id)}/${what}`,
  message: (agent: string) => `/web/agent/${encodeURIComponent(agent)}/message`,
} as const;
