import type { ClientView } from '../contract/console/integrations.ts';
import type { PosClient } from '../domain/records.ts';
import type { AuditAction } from '../domain/staff.ts';
import type { ConsoleCall, Handlers } from './call.ts';
import { type ConsoleDeps, nowIso } from './console-deps.ts';

type IntegrationHandlers = Pick<
  Handlers,
  'integrations.clients.list' | 'integrations.clients.create' | 'integrations.clients.revoke'
>;

/** The POS clients and their keys. */
export function createIntegrationHandlers({ journal, clientKeys, clock }: ConsoleDeps): IntegrationHandlers {
  function audit(call: ConsoleCall, action: AuditAction, client: PosClient): void {
    const entry = { at: nowIso(clock), actor: call.actor, action, subjectId: client.clientId, text: client.name };
    journal.commit((unit) => unit.appendAudit(entry));
  }

  return {
    'integrations.clients.list': () => ({ clients: journal.listClients().map(viewOf) }),
    'integrations.clients.create'(call, { name }) {
      const { client, key } = clientKeys.create(name);
      audit(call, 'KEY_CREATED', client);
      return { client: viewOf(client), key };
    },
    'integrations.clients.revoke'(call, { name }) {
      const client = clientKeys.revoke(name);
      audit(call, 'KEY_REVOKED', client);
      return viewOf(client);
    },
  };
}

/** Nothing of the key. */
function viewOf({ keyHash: _keyHash, ...client }: PosClient): ClientView {
  return client;
}
