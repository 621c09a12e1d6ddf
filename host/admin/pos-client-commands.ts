import type { AdminCommand } from './admin-command.ts';
import { addPosClient, revokePosClient, rotatePosClient } from './pos-clients.ts';
import { requireMerchant } from './provisioning.ts';
import { defaultKeepHours, graceMsOf, iso, stateOf, text } from './values.ts';

const clientOf = ({ merchant, name }: Parameters<AdminCommand['run']>[1]) => ({
  merchantId: text(merchant),
  name: text(name),
});

/** POS clients: the programs that may pay at the tills of a merchant. */
export const posClientCommands: Readonly<Record<string, AdminCommand>> = {
  'pos-clients add': {
    usage: '--merchant ID --name NAME',
    summary: 'shows the key of a POS this once; it works at every paired till of the merchant within half a minute',
    required: ['merchant', 'name'],
    run: async (context, values) => {
      const { client, key } = await addPosClient(context, clientOf(values));
      return { merchantId: client.merchantId, clientId: client.clientId, name: client.name, key };
    },
  },
  'pos-clients list': {
    usage: '--merchant ID',
    summary: 'names the POS clients of a merchant and whether their keys work; never the keys',
    required: ['merchant'],
    run: async ({ store }, { merchant }) => {
      await requireMerchant(store, text(merchant));
      return (await store.read.listPosClients(text(merchant))).map((client) => ({
        ...{ clientId: client.clientId, name: client.name },
        ...{
          state: stateOf(client, 0),
          createdAt: iso(client.createdAtMs),
          earlierKeyUntil: iso(client.earlierKey?.untilMs),
        },
      }));
    },
  },
  'pos-clients rotate': {
    usage: '--merchant ID --name NAME [--keep-hours N]',
    summary: `shows a new key this once; the old one works on for N hours (${defaultKeepHours})`,
    required: ['merchant', 'name'],
    optional: ['keep-hours'],
    run: async (context, values) => {
      const { client, key } = await rotatePosClient(context, clientOf(values), graceMsOf(values['keep-hours']));
      return { merchantId: client.merchantId, clientId: client.clientId, name: client.name, key };
    },
  },
  'pos-clients revoke': {
    usage: '--merchant ID --name NAME',
    summary: 'takes the keys of a POS out of force: at each till as soon as it has asked the host',
    required: ['merchant', 'name'],
    run: async (context, values) => {
      const { merchantId, clientId, name } = await revokePosClient(context, clientOf(values));
      return { merchantId, clientId, name, state: 'REVOKED' };
    },
  },
};
