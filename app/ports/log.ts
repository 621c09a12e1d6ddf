/** Log fields are an allow-list (see app/logs): a field that is not listed there is not written. */
export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

/** What a log line may carry. No card data, no keys, no free text from outside beyond `reason`. */
export interface LogFields {
  requestId?: string;
  transactionId?: string;
  terminalId?: string;
  taskId?: string;
  clientName?: string;
  method?: string;
  route?: string;
  statusCode?: number;
  durationMs?: number;
  code?: string;
  reason?: string;
  state?: string;
  protocol?: string;
  command?: string;
  attempt?: number;
  byteCount?: number;
  sequence?: number;
  path?: string;
  port?: number;
  pid?: number;
  stack?: string;
}
