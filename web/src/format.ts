/** Quantities as people read them. Everything here is a function of its arguments alone. */

const SEPARATED = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 });
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A count: `12 345`, with a narrow space, which no locale takes for a decimal sign. */
export function count(value: number): string {
  return SEPARATED.format(value).replaceAll(',', '\u202f');
}

/** GPUs given in thousandths: `8`, `0.25`. */
export function gpus(milli: number): string {
  const whole = milli / 1000;
  return Number.isInteger(whole) ? count(whole) : String(Math.round(whole * 100) / 100);
}

/** GPUs given in thousandths, exactly and with as many decimals each, to stand below each other. */
export function aligned(millis: number[]): string[] {
  const decimals = [0, 1, 2].find((digits) =>
    millis.every((milli) => milli % 10 ** (3 - digits) === 0),
  );
  return millis.map((milli) => {
    const [whole, part] = (milli / 1000).toFixed(decimals ?? 3).split('.');
    return part ? `${count(Number(whole))}.${part}` : count(Number(whole));
  });
}

/** A part of a whole in per cent; a dash where there is no whole. */
export function percent(part: number, whole: number): string {
  if (whole <= 0) return '–';
  const value = (100 * part) / whole;
  // Almost nothing and almost everything must not read as nothing and everything.
  if (value > 0 && value < 1) return '<1%';
  if (value < 100 && value > 99) return '>99%';
  return `${Math.round(value)}%`;
}

/** A span of time by its two largest units: `3d 4h`, `2m 5s`. */
export function span(ms: number): string {
  const abs = Math.abs(ms);
  if (abs < SECOND) return '0s';
  const units: [number, string][] = [
    [DAY, 'd'],
    [HOUR, 'h'],
    [MINUTE, 'm'],
    [SECOND, 's'],
  ];
  const first = units.findIndex(([size]) => abs >= size);
  const [size, name] = units[first]!;
  const whole = Math.floor(abs / size);
  const next = units[first + 1];
  const rest = next ? Math.floor((abs % size) / next[0]) : 0;
  return rest > 0 && next ? `${whole}${name} ${rest}${next[1]}` : `${whole}${name}`;
}

/** How far a moment is from now: `5m ago`, `in 2h 3m`, `now`. */
export function ago(at: number, now: number): string {
  const distance = at - now;
  if (Math.abs(distance) < SECOND) return 'now';
  return distance < 0 ? `${span(distance)} ago` : `in ${span(distance)}`;
}

/** GPU-milliseconds as GPU-hours. */
export function gpuHours(gpuMs: number): string {
  const hours = gpuMs / HOUR;
  if (hours === 0) return '0';
  if (hours < 0.01) return '<0.01';
  return hours < 100 ? hours.toFixed(hours < 10 ? 2 : 1) : count(hours);
}

/** An amount in millionths of its currency; without decimals once they no longer matter. */
export function money(millionths: number, currency: string): string {
  const amount = millionths / 1e6;
  const digits = Math.abs(amount) < 1000 ? 2 : 0;
  const text = amount.toFixed(digits).replace(/\B(?=(\d{3})+(?!\d))/g, '\u202f');
  return `${text} ${currency}`;
}

/** The clock of a moment in the zone of the reader, with the day where it is not today. */
export function clock(at: number, now: number, zone?: string): string {
  const time = new Intl.DateTimeFormat('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZone: zone,
  }).format(at);
  const day = (moment: number) =>
    new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(moment);
  return day(at) === day(now) ? time : `${day(at)} ${time}`;
}

/** A moment in full, with its zone: for titles and for those who copy it. */
export function full(at: number): string {
  return new Date(at).toISOString();
}

/** `1 job`, `2 jobs`. */
export function counted(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? '' : 's'}`;
}

/** MiB as people say it. */
export function memory(mib: number): string {
  return mib >= 1024 ? `${Math.round(mib / 102.4) / 10} GiB` : `${mib} MiB`;
}

export const millis = (moment: string): number => Date.parse(moment);
