import { BridgeError } from '../../app/contract/errors.ts';
import type { SerialLine, TcpLine } from '../line-address.ts';

/** Where a printer is: a printer URL, read. */
export type PrinterAddress =
  | TcpLine
  | SerialLine
  | {
      readonly kind: 'USB';
      readonly vendorId: number;
      readonly productId: number;
      /** Tells two printers of one kind apart. */
      readonly serialNumber?: string;
    };

const DEFAULT_PRINTER_PORT = 9100;
const DEFAULT_BAUD_RATE = 9_600;
const MIN_BAUD_RATE = 1_200;
const MAX_BAUD_RATE = 921_600;

function refuse(part: string, problem: string): never {
  throw new BridgeError('INVALID_REQUEST', `Printer URL: ${part} ${problem}.`, { field: 'url' });
}

/**
 * Reads `escpos+tcp://HOST:9100`, `escpos+serial:///dev/ttyUSB0?baudRate=38400` or `escpos+usb://04b8:0e15/SERIAL`.
 * @throws BridgeError INVALID_REQUEST naming the wrong part
 */
export function parsePrinterUrl(text: string): PrinterAddress {
  // Two numbers with a colon are no host of a URL.
  const usb = /^escpos\+usb:\/\/([0-9a-f]{4}):([0-9a-f]{4})(?:\/([!-~]{1,64}))?$/i.exec(text);
  if (usb !== null) return usbAddress(usb[1] ?? '', usb[2] ?? '', usb[3]);
  if (text.startsWith('escpos+usb://'))
    refuse('vendor and product', 'must be four hexadecimal digits each (escpos+usb://04b8:0e15)');
  const isTcp = text.startsWith('escpos+tcp://');
  if (!isTcp && !text.startsWith('escpos+serial://'))
    refuse('it', 'must begin with escpos+tcp://, escpos+serial:// or escpos+usb://');
  if (!URL.canParse(text)) refuse('host or port', 'cannot be read');
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') refuse('user information', 'has no place here');
  if (url.hash !== '') refuse('the part after #', 'has no meaning');
  const known = isTcp ? [] : ['baudRate'];
  for (const name of url.searchParams.keys()) if (!known.includes(name)) refuse(`parameter "${name}"`, 'is not known');
  return isTcp ? tcpAddress(url) : serialAddress(url);
}

function usbAddress(vendor: string, product: string, serialNumber: string | undefined): PrinterAddress {
  return {
    kind: 'USB',
    vendorId: Number.parseInt(vendor, 16),
    productId: Number.parseInt(product, 16),
    ...(serialNumber === undefined ? {} : { serialNumber }),
  };
}

function tcpAddress(url: URL): PrinterAddress {
  const host = decodeURIComponent(url.hostname).replace(/^\[(.*)\]$/, '$1');
  if (host === '') refuse('the host', 'is missing');
  if (url.pathname !== '' && url.pathname !== '/') refuse(`the path "${url.pathname}"`, 'has no place here');
  const port = url.port === '' ? DEFAULT_PRINTER_PORT : Number(url.port);
  if (port < 1) refuse('the port', 'must be 1 to 65535');
  return { kind: 'TCP', host, port };
}

function serialAddress(url: URL): PrinterAddress {
  // /dev/ttyUSB0 stands in the path, COM3 where a host would stand.
  const path = decodeURIComponent(url.hostname === '' ? url.pathname : url.hostname + url.pathname.replace(/^\/$/, ''));
  if (path === '' || path === '/' || path.includes('\0'))
    refuse('the serial port', 'is missing (escpos+serial:///dev/ttyUSB0)');
  const baudText = url.searchParams.get('baudRate') ?? String(DEFAULT_BAUD_RATE);
  const baudRate = Number(baudText);
  if (!/^\d{4,6}$/.test(baudText) || baudRate < MIN_BAUD_RATE || baudRate > MAX_BAUD_RATE)
    refuse('baudRate', `must be a number from ${MIN_BAUD_RATE} to ${MAX_BAUD_RATE}`);
  return { kind: 'SERIAL', path, baudRate };
}
