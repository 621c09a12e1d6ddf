import { MAX_ALLOWED_ORIGINS } from '../contract/console/console-limits.ts';
import type { ClientView } from '../contract/console/integrations.ts';
import { BridgeError } from '../contract/errors.ts';
import type { PosClient } from '../domain/records.ts';
import type { AuditAction } from '../domain/staff.ts';
import { requiredOrigin } from '../services/doctor.ts';
import type { ConsoleCall, Handlers } from './call.ts';
import { type ConsoleDeps, nowIso } from './console-deps.ts';

type IntegrationHandlers = Pick<Handlers, Extract<keyof Handlers, `integrations.${string}`>>;

/** The POS clients and their keys, the web pages that may call, what was called, and the browser doctor. */
export function createIntegrationHandlers(deps: ConsoleDeps): IntegrationHandlers {
  const { journal, clientKeys, clock, settingsStore, doctor, till } = deps;

  function audit(call: ConsoleCall, action: AuditAction, subjectId: string, text: string): void {
    const entry = { at: nowIso(clock), actor: call.actor, action, subjectId, text };
    journal.commit((unit) => unit.appendAudit(entry));
  }

  /** Nothing of the keys. An earlier one is shown for as long as it works. */
  function viewOf({
    clientId,
    name,
    createdAt,
    revokedAt,
    earlierKey,
    trainingOnly,
    merchantId,
  }: PosClient): ClientView {
    const lastUsedAt = clientKeys.lastUsedAt(clientId);
    const isEarlierValid = earlierKey !== undefined && clock.nowMs() < Date.parse(earlierKey.validUntil);
    return {
      clientId,
      name,
      createdAt,
      ...(lastUsedAt === undefined ? {} : { lastUsedAt }),
      ...(revokedAt === undefined ? {} : { revokedAt }),
      ...(isEarlierValid ? { earlierKeyUntil: earlierKey.validUntil } : {}),
      trainingOnly,
      isOfHost: merchantId !== undefined,
    };
  }

  const allowedOrigins = () => settingsStore.current().allowedOrigins;

  return {
    'integrations.overview': () => ({
      posUrl: doctor.posUrl(),
      terminals: till.terminals().map(({ terminalId, currency }) => ({ terminalId, currency })),
    }),
    'integrations.clients.list': () => ({ clients: journal.listClients().map(viewOf) }),
    'integrations.clients.create'(call, { name }) {
      const { client, key } = clientKeys.create(name);
      audit(call, 'KEY_CREATED', client.clientId, client.name);
      return { client: viewOf(client), key };
    },
    'integrations.clients.rename'(call, { name, newName }) {
      const client = clientKeys.rename(name, newName);
      audit(call, 'CLIENT_RENAMED', client.clientId, `${name} is now ${newName}`);
      return viewOf(client);
    },
    'integrations.clients.rotate'(call, { name, graceSeconds }) {
      const { client, key } = clientKeys.rotate(name, graceSeconds * 1000);
      audit(call, 'KEY_ROTATED', client.clientId, `${client.name}, the key before works on for ${graceSeconds} s`);
      return { client: viewOf(client), key };
    },
    'integrations.clients.revoke'(call, { name }) {
      const client = clientKeys.revoke(name);
      audit(call, 'KEY_REVOKED', client.clientId, client.name);
      return viewOf(client);
    },
    'integrations.origins.list': () => ({ origins: [...allowedOrigins()] }),
    'integrations.origins.allow'(call, { origin: given }) {
      const origin = requiredOrigin(given);
      if (allowedOrigins().includes(origin)) return { origins: [...allowedOrigins()] };
      if (allowedOrigins().length >= MAX_ALLOWED_ORIGINS)
        throw new BridgeError('ILLEGAL_STATE', `${MAX_ALLOWED_ORIGINS} origins are allowed already; remove one first`);
      const next = settingsStore.update({ allowedOrigins: [...allowedOrigins(), origin] });
      audit(call, 'ORIGIN_ALLOWED', origin, origin);
      return { origins: [...next.allowedOrigins] };
    },
    'integrations.origins.remove'(call, { origin }) {
      // As it stands in the list: an entry of an older file need not be one that can be added.
      if (!allowedOrigins().includes(origin)) throw new BridgeError('NOT_FOUND', 'this origin is not in the list');
      const next = settingsStore.update({ allowedOrigins: allowedOrigins().filter((each) => each !== origin) });
      audit(call, 'ORIGIN_REMOVED', origin, origin);
      return { origins: [...next.allowedOrigins] };
    },
    'integrations.requests': (_call, { after, listId }) => ({
      listId: doctor.listId,
      // A number of another list says nothing about this one.
      requests: doctor.requestsAfter(listId === doctor.listId ? after : 0),
    }),
    'integrations.diagnose': (_call, asked) => doctor.diagnose(asked),
  };
}
