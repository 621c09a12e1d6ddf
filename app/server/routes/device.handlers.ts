import { type DeviceStatus, DisplayRequest, InputRequest, PrintRequest } from '../../contract/device.ts';
import type { EndpointId } from '../../contract/endpoints.ts';
import { BridgeError } from '../../contract/errors.ts';
import { jsonReply, type Reply } from '../../http/reply.ts';
import { type Handler, plain, taking } from './handler.ts';

const accepted = { accepted: true } as const;

/** Health of the terminal, display, input and print (specification: device/health; decisions: Health, Device). */
export const deviceHandlers = {
  'pos.health': plain(async ({ till }, call) => healthReply(await till.health(call.context))),
  'device.display': taking(DisplayRequest, async ({ till }, call, request) => {
    await till.display(call.context, request);
    return jsonReply(accepted);
  }),
  'device.input': taking(InputRequest, async ({ till }, call, request) =>
    jsonReply(await till.input(call.context, request)),
  ),
  'device.print': taking(PrintRequest, async ({ till }, call, request) => {
    await till.print(call.context, request);
    return jsonReply(accepted);
  }),
} as const satisfies Partial<Record<EndpointId, Handler>>;

/** 200 for a terminal that is idle or busy (decisions: Health). @throws BridgeError TERMINAL_UNREACHABLE, TERMINAL_NOT_READY otherwise */
function healthReply(status: DeviceStatus): Reply {
  if (status.state === 'IDLE' || status.state === 'BUSY') return jsonReply(status);
  throw status.connected
    ? new BridgeError('TERMINAL_NOT_READY', `the terminal is not ready: ${status.state}`)
    : new BridgeError('TERMINAL_UNREACHABLE', 'the terminal cannot be reached');
}
