import { Type } from 'typebox';
import { LinkMessage } from '../../../app/contract/host/link.ts';
import { parseStrictJson } from '../../../app/contract/json.ts';
import { validate } from '../../../app/contract/validate.ts';
import type { TerminalLinks } from '../../services/host-deps.ts';
import type { TerminalLinkHub } from './terminal-link-hub.ts';

/** What one process of the host tells the others. */
const Wake = Type.Object(
  { merchantId: Type.String(), terminalId: Type.String(), subject: LinkMessage.properties.subject },
  { additionalProperties: false },
);

/** Wakes a terminal wherever its link is: in this process, and, through `publish`, in another. */
export function shareLinks(hub: TerminalLinks, publish: (payload: string) => void): TerminalLinks {
  return {
    wake({ merchantId, terminalId }, subject) {
      hub.wake({ merchantId, terminalId }, subject);
      publish(JSON.stringify({ merchantId, terminalId, subject }));
    },
  };
}

/** Takes a wake-up that another process has told; what is none is dropped. */
export function receiveWake(hub: Pick<TerminalLinkHub, 'wake'>, payload: string): void {
  try {
    const { subject, ...terminal } = validate(Wake, parseStrictJson(Buffer.from(payload)));
    hub.wake(terminal, subject);
  } catch {
    // Said by something else on the same channel.
  }
}
