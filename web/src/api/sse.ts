/** Server-sent events out of pieces of text, however the network cut them. */

export type Message = { event: string; data: string; id: string | null };

/** Takes pieces of a stream and gives back the messages they complete. */
export class SseParser {
  private rest = '';
  private event = '';
  private data: string[] = [];
  private id: string | null = null;

  push(piece: string): Message[] {
    this.rest += piece;
    const messages: Message[] = [];
    for (;;) {
      const end = this.rest.search(/\r\n|\n|\r/);
      if (end < 0) return messages;
      // A carriage return at the very end may be the first half of a line's end.
      if (this.rest[end] === '\r' && end === this.rest.length - 1) return messages;
      const width = this.rest.startsWith('\r\n', end) ? 2 : 1;
      const line = this.rest.slice(0, end);
      this.rest = this.rest.slice(end + width);
      const message = this.take(line);
      if (message) messages.push(message);
    }
  }

  private take(line: string): Message | null {
    if (line === '') {
      const { event, data, id } = this;
      this.event = '';
      this.data = [];
      return data.length > 0 ? { event: event || 'message', data: data.join('\n'), id } : null;
    }
    if (line.startsWith(':')) return null;
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') this.event = value;
    if (field === 'data') this.data.push(value);
    if (field === 'id') this.id = value;
    return null;
  }
}
