// Where a device is connected, as its address names it.

export interface TcpLine {
  readonly kind: 'TCP';
  readonly host: string;
  readonly port: number;
}

export interface SerialLine {
  readonly kind: 'SERIAL';
  readonly path: string;
  readonly baudRate: number;
}

/** A USB HID device, by what it says of itself: its path is another after each re-plug. */
export interface HidLine {
  readonly kind: 'HID';
  readonly vendorId: number;
  readonly productId: number;
  /** Absent: the only one of its kind on this machine. */
  readonly serialNumber?: string;
}

export type LineAddress = TcpLine | SerialLine | HidLine;

/** Vendor and product as addresses write them: `0ACD:3810`. */
export function usbIdOf({ vendorId, productId }: Pick<HidLine, 'vendorId' | 'productId'>): string {
  return [vendorId, productId].map((id) => id.toString(16).toUpperCase().padStart(4, '0')).join(':');
}
