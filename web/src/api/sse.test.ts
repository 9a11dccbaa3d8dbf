import { describe, expect, it } from 'vitest';
import { SseParser } from './sse';

const STREAM = ':hello\n\nid: 7\nevent: event\ndata: {"a":1}\n\ndata: one\ndata: two\n\n';

describe('server-sent events', () => {
  it('are the same however the stream is cut', () => {
    const whole = new SseParser().push(STREAM);
    expect(whole).toEqual([
      { event: 'event', data: '{"a":1}', id: '7' },
      { event: 'message', data: 'one\ntwo', id: '7' },
    ]);
    for (let size = 1; size < STREAM.length; size += 1) {
      const parser = new SseParser();
      const messages = [];
      for (let at = 0; at < STREAM.length; at += size) {
        messages.push(...parser.push(STREAM.slice(at, at + size)));
      }
      expect(messages, `in pieces of ${size}`).toEqual(whole);
    }
  });

  it('take every kind of line end, also cut in two', () => {
    const parser = new SseParser();
    const messages = ['data: a\r', '\n\r', '\ndata: b\r\n\r\n'].flatMap((piece) =>
      parser.push(piece),
    );
    expect(messages.map((message) => message.data)).toEqual(['a', 'b']);
  });

  it('are not made of comments or of events without data', () => {
    expect(new SseParser().push(':\n\nevent: x\n\n')).toEqual([]);
  });
});
