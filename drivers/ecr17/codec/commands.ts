// What a till sends, both ways: the driver encodes it, the virtual terminal decodes it.
import { Secret } from '../../../app/domain/secret.ts';
import { decodeCardCommand, encodeCardCommand } from './card-commands.ts';
import type { Ecr17Command, ReceiptsCommand, ReprintCommand, StatusCommand } from './command-types.ts';
import { textAt, zeros } from './fields.ts';
import { bodyOf, headerOf, malformed, orMalformed, readHeader } from './header.ts';
import type { Malformed } from './message-types.ts';
import { decodeAdditionalData, decodeServiceCommand, encodeAdditionalData, encodeServiceCommand } from './services.ts';

/**
 * The text of a command.
 * @throws RangeError when a value does not fit its field; nothing is cut
 */
export function encodeCommand(command: Ecr17Command): string {
  switch (command.type) {
    case 'status':
      return headerOf(command.terminalId, 's');
    case 'receipts':
      return `${headerOf(command.terminalId, 'E')}${flagOf(command.goToTill)}`;
    case 'reprint':
      return encodeReprint(command);
    case 'service':
      return encodeServiceCommand(command);
    case 'additional-data':
      return encodeAdditionalData(command);
    case 'unknown':
      return `${headerOf(command.terminalId, command.code)}${command.text.reveal()}`;
    default:
      return encodeCardCommand(command);
  }
}

/** Decodes one message as the terminal sees it. Never throws. */
export function decodeCommand(text: string): Ecr17Command | Malformed {
  const header = readHeader(text);
  if (header === undefined) return malformed(text, 'no-header');
  return orMalformed(text, () => decodeBody(header.terminalId, header.code, text));
}

function decodeBody(terminalId: string, code: string, text: string): Ecr17Command {
  switch (code) {
    case 's':
      return { type: 'status', terminalId } satisfies StatusCommand;
    case 'E':
      return { type: 'receipts', terminalId, goToTill: isSet(text, 11, 'receipts') } satisfies ReceiptsCommand;
    case 'R':
      return decodeReprint(terminalId, text);
    case 'K':
      return decodeServiceCommand(terminalId, text);
    case 'U':
      return decodeAdditionalData(terminalId, text);
    default:
      return (
        decodeCardCommand(terminalId, code, text) ?? {
          type: 'unknown',
          terminalId,
          code,
          text: new Secret(bodyOf(text)),
        }
      );
  }
}

function encodeReprint({ terminalId, goesToTill, ticket }: ReprintCommand): string {
  return `${headerOf(terminalId, 'R')}${flagOf(goesToTill)}${flagOf(ticket === 'SERVICE')}${zeros(10)}`;
}

function decodeReprint(terminalId: string, text: string): ReprintCommand {
  const goesToTill = isSet(text, 11, 'receipt to the till');
  return { type: 'reprint', terminalId, goesToTill, ticket: isSet(text, 12, 'ticket') ? 'SERVICE' : 'FINANCIAL' };
}

function flagOf(isOn: boolean): string {
  return isOn ? '1' : '0';
}

function isSet(text: string, position: number, field: string): boolean {
  return textAt(text, position, 1, field) === '1';
}
