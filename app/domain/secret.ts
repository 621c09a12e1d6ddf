const mask = '•••';

/**
 * A value that must not reach a log, a file, an error message or a response by accident (PAN, track, PIN block, password).
 * Every conversion prints a mask; reading it needs the visible call `reveal()`.
 */
export class Secret<T> {
  readonly #value: T;

  constructor(value: T) {
    this.#value = value;
  }

  /** The value itself. Every call of this is a place to review. */
  reveal(): T {
    return this.#value;
  }

  toString(): string {
    return mask;
  }

  toJSON(): string {
    return mask;
  }

  // Node's inspector (console.log, assertion messages) looks this symbol up by its registered name.
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return mask;
  }
}
