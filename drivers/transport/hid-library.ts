/** What the till uses of node-hid (3.x): its asynchronous half. The virtual reader has the same shape. */
export interface HidLibrary {
  devicesAsync(): Promise<readonly HidDeviceInfo[]>;
  readonly HIDAsync: { open(path: string): Promise<HidHandle> };
}

/** A HID device that is plugged in. `path` is another after each re-plug; serial numbers are missing where the user may not read them. */
export interface HidDeviceInfo {
  readonly vendorId: number;
  readonly productId: number;
  readonly path?: string | undefined;
  readonly serialNumber?: string | undefined;
  readonly manufacturer?: string | undefined;
  readonly product?: string | undefined;
}

/** An open device. An error means that it is gone, whatever its text says, and even without one. */
export interface HidHandle {
  /** One input report; its first byte is the report's number. */
  on(event: 'data', listener: (report: Uint8Array) => void): unknown;
  on(event: 'error', listener: (error: unknown) => void): unknown;
  /** One output report, the report's number first. Resolves to the number of bytes taken. */
  write(report: Buffer): Promise<number>;
  close(): Promise<void>;
}
