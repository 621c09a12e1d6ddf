import { describe, expect, it } from 'vitest';
import {
  type FirstRequest,
  firstRequestText,
  programLanguages,
} from '../../renderer/pages/integrations/first-request.ts';

const request: FirstRequest = {
  posUrl: 'http://127.0.0.1:9123',
  apiKey: 'pos_canary-key',
  terminalId: 'lane-7',
  currency: 'CHF',
  amountMinor: 4321,
  idempotencyKey: 'canary-idempotency',
};

describe('the texts of a first request', () => {
  it.each(programLanguages)(
    'hold as %s the address, key, terminal, amount and currency of the one request',
    (language) => {
      const text = firstRequestText(language, request);
      for (const part of ['127.0.0.1:9123', 'pos_canary-key', 'lane-7', 'CHF', '4321']) expect(text).toContain(part);
      expect(text).toMatch(/idempotency-?_?key/i);
    },
  );

  it('is for C# made of the same request, and waits longer than the till; it was not compiled here, where no C# is', () => {
    const text = firstRequestText('csharp', request);
    expect(text).toContain('new HttpRequestMessage(HttpMethod.Post, "http://127.0.0.1:9123/v1/transaction/sale")');
    expect(text).toContain('sale.Headers.Add("X-Api-Key", "pos_canary-key");');
    expect(text).toContain('sale.Headers.Add("X-Terminal-Id", "lane-7");');
    expect(text).toContain('sale.Headers.Add("Idempotency-Key", Guid.NewGuid().ToString());');
    expect(text).toContain(String.raw`"{\"type\":\"SALE\",\"amount\":4321,\"currency\":\"CHF\"}"`);
    expect(text).toContain('TimeSpan.FromSeconds(250)');
  });

  it('quote what a shell would take for its own', () => {
    const text = firstRequestText('curl', { ...request, terminalId: 'a"b`c$d\\e' });
    expect(text).toContain(String.raw`"X-Terminal-Id: a\"b\`c\$d\\e"`);
  });
});
