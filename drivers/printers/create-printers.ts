import type { Clock } from '../../app/ports/clock.ts';
import type { Printers } from '../../app/ports/printer.ts';
import type { TransportFactory } from '../transport/transport.ts';
import { createTransportFactory } from '../transport/transport-factory.ts';
import { createEscposPrinter, type PrintLimits } from './escpos-printer.ts';
import { type PrinterAddress, parsePrinterUrl } from './printer-url.ts';

/** Printers over TCP, serial and USB; the line that an address needs is loaded with its first print. */
export function createPrinters(clock: Clock, limits?: PrintLimits): Printers {
  return {
    create({ url }) {
      const address = parsePrinterUrl(url);
      return createEscposPrinter({
        name: 'The printer',
        createTransport: () => transportOf(address, clock),
        clock,
        ...(limits === undefined ? {} : { limits }),
      });
    },
    checkUrl: (url) => void parsePrinterUrl(url),
  };
}

async function transportOf(address: PrinterAddress, clock: Clock): Promise<TransportFactory> {
  if (address.kind !== 'USB') return createTransportFactory(address, clock);
  const { createUsbTransport } = await import('../transport/usb-transport.ts');
  return (listeners) => createUsbTransport(address, listeners);
}
