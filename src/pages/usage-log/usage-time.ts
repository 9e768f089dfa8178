const moment = new Intl.DateTimeFormat('th-TH-u-ca-buddhist', {
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
  timeZone: 'Asia/Bangkok',
})

/** A UTC instant to the second, Bangkok time: `21/11/2569 12:00:05`. */
export function usageTime(utcIso: string): string {
  const part = Object.fromEntries(moment.formatToParts(new Date(utcIso)).map(({ type, value }) => [type, value]))
  return `${part.day}/${part.month}/${part.year} ${part.hour}:${part.minute}:${part.second}`
}
