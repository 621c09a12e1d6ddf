// Messages beside payments: K (value-added services in XML) and U (data for and from the acquirer's host).
import { Secret } from '../../../app/domain/secret.ts';
import type { AdditionalDataCommand, ServiceCommand } from './command-types.ts';
import { digitsAt, digitsOf, exactDigits, FieldError, numberAt, textAt, textOf, zeros } from './fields.ts';
import { headerOf } from './header.ts';
import type { AdditionalDataReply, ServiceReply } from './message-types.ts';

/** Ends the content of a U message of the till. */
const END_OF_CONTENT = '\u001b';

export function encodeServiceCommand({ terminalId, tillId, xml }: ServiceCommand): string {
  const text = xml.reveal();
  return `${headerOf(terminalId, 'K')}${exactDigits(tillId, 8, 'till id')}${digitsOf(text.length, 8, 'length')}${text}`;
}

export function decodeServiceCommand(terminalId: string, text: string): ServiceCommand {
  const tillId = digitsAt(text, 11, 8, 'till id');
  const length = numberAt(text, 19, 8, 'length');
  return { type: 'service', terminalId, tillId, xml: new Secret(textAt(text, 27, length, 'XML')) };
}

export function encodeServiceReply({ terminalId, hasMore, part, xmlLength, xml }: ServiceReply): string {
  const head = `${headerOf(terminalId, 'K')}${zeros(4)}${hasMore ? '1' : '0'}${exactDigits(part, 3, 'part')}`;
  return `${head}${digitsOf(xmlLength, 8, 'length')}${xml.reveal()}`;
}

/** The length is told beside the XML, not compared with it: some terminals leave it at zero. */
export function decodeServiceReply(terminalId: string, text: string): ServiceReply {
  return {
    type: 'service-reply',
    terminalId,
    hasMore: textAt(text, 15, 1, 'more') === '1',
    part: digitsAt(text, 16, 3, 'part'),
    xmlLength: numberAt(text, 19, 8, 'length'),
    xml: new Secret(text.slice(26)),
  };
}

export function encodeAdditionalData({ terminalId, isoField, tag, content }: AdditionalDataCommand): string {
  const place = `${digitsOf(isoField, 8, 'ISO field')}${textOf(tag, 8, 'tag')}${zeros(10)}`;
  return `${headerOf(terminalId, 'U')}${place}${content.reveal()}${END_OF_CONTENT}`;
}

export function decodeAdditionalData(terminalId: string, text: string): AdditionalDataCommand {
  if (!text.endsWith(END_OF_CONTENT)) throw new FieldError('too-short', 'content');
  return {
    type: 'additional-data',
    terminalId,
    isoField: numberAt(text, 11, 8, 'ISO field'),
    tag: textAt(text, 19, 8, 'tag').trim(),
    content: new Secret(text.slice(36, -END_OF_CONTENT.length)),
  };
}

export function encodeAdditionalDataReply({ terminalId, content }: AdditionalDataReply): string {
  const data = content.reveal();
  return `${headerOf(terminalId, 'U')}${digitsOf(data.length, 9, 'length')}${data}${zeros(10)}`;
}

export function decodeAdditionalDataReply(terminalId: string, text: string): AdditionalDataReply {
  const length = numberAt(text, 11, 9, 'length');
  return { type: 'additional-data-reply', terminalId, content: new Secret(textAt(text, 20, length, 'content')) };
}
