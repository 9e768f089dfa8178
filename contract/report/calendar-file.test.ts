import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { buildCalendarFile, type CalendarFileEvent, foldCalendarLine } from './calendar-file.ts'

const EVENT: CalendarFileEvent = {
  uid: '69119271820-submission@tamngan',
  summary: 'สิ้นสุดยื่นข้อเสนอ: ซื้อพร้อมติดตั้งระบบกล้องโทรทัศน์วงจรปิด (CCTV), ภายในอาคารสำนักงาน; จำนวน 64 จุด',
  description: 'สำนักงานเขตจตุจักร · กรุงเทพมหานคร\nราคากลาง 12,431,900.00 บาท\nC:\\งาน',
  url: 'https://tamngan.example/report/69119271820',
  day: '2026-11-28',
  time: { from: '09:00', to: '12:00' },
  now: new Date('2026-11-21T03:05:00Z'),
}

type Property = { name: string; parameters: string[]; value: string }

/** Parses a file as another program would: unfolds bytes, not characters (RFC 5545 3.1). */
function readCalendar(text: string): Property[] {
  const bytes = Buffer.from(text, 'utf8')
  const lines: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf('\r\n', at)
    expect(end).toBeGreaterThanOrEqual(at)
    const line = bytes.subarray(at, end)
    expect(line.length).toBeLessThanOrEqual(75)
    expect(new TextDecoder('utf-8', { fatal: true }).decode(line)).toBe(line.toString())
    if (line[0] === 0x20 || line[0] === 0x09) lines.push(Buffer.concat([lines.pop()!, line.subarray(1)]))
    else lines.push(line)
    at = end + 2
  }
  return lines.map((line) => {
    const decoded = line.toString('utf8')
    const colon = decoded.indexOf(':')
    const [name, ...parameters] = decoded.slice(0, colon).split(';') as [string, ...string[]]
    return { name, parameters, value: decoded.slice(colon + 1) }
  })
}

const textOf = (value: string) =>
  value.replace(/\\([nN\\;,])/g, (_, mark: string) => (mark.toLowerCase() === 'n' ? '\n' : mark))
const of = (properties: Property[], name: string) => properties.filter((property) => property.name === name)
const valueIn = (text: string, name: string) => of(readCalendar(text), name)[0]?.value

describe('buildCalendarFile', () => {
  test('marks a cancelled event in its title, supersedes the old one and sets no alarm', () => {
    const text = buildCalendarFile({ ...EVENT, isCancelled: true, now: new Date('2026-11-22T03:05:00Z') })
    const properties = readCalendar(text)
    expect(valueIn(text, 'UID')).toBe(EVENT.uid)
    expect(Number(valueIn(text, 'SEQUENCE'))).toBeGreaterThan(Number(valueIn(buildCalendarFile(EVENT), 'SEQUENCE')))
    expect(valueIn(text, 'STATUS')).toBe('CANCELLED')
    expect(textOf(valueIn(text, 'SUMMARY')!)).toBe(`ยกเลิก: ${EVENT.summary}`)
    expect(of(properties, 'BEGIN').map(({ value }) => value)).toEqual(['VCALENDAR', 'VEVENT'])
  })

  test.each([{ from: '09:00', to: '12:00' }, undefined])('does not block the calendar, at %o', (time) => {
    const text = buildCalendarFile({ ...EVENT, time })
    expect([valueIn(text, 'TRANSP'), valueIn(text, 'X-MICROSOFT-CDO-BUSYSTATUS')]).toEqual(['TRANSPARENT', 'FREE'])
  })

  test('contains one event in one calendar with every property that RFC 5545 requires', () => {
    const properties = readCalendar(buildCalendarFile(EVENT))
    const begins = of(properties, 'BEGIN').map(({ value }) => value)
    expect(begins).toEqual(['VCALENDAR', 'VEVENT', 'VALARM'])
    expect(of(properties, 'END').map(({ value }) => value)).toEqual([...begins].reverse())
    for (const name of [
      'VERSION',
      'PRODID',
      'UID',
      'DTSTAMP',
      'DTSTART',
      'DTEND',
      'SUMMARY',
      'URL',
      'ACTION',
      'TRIGGER',
    ])
      expect([name, of(properties, name).length]).toEqual([name, 1])
    expect(of(properties, 'VERSION')[0]!.value).toBe('2.0')
  })

  test('preserves name and description', () => {
    const properties = readCalendar(buildCalendarFile(EVENT))
    expect(textOf(of(properties, 'SUMMARY')[0]!.value)).toBe(EVENT.summary)
    expect(textOf(of(properties, 'DESCRIPTION')[0]!.value)).toBe(EVENT.description)
    expect(of(properties, 'URL')[0]!.value).toBe(EVENT.url)
  })

  test('converts Bangkok time to UTC and reminds at that time the day before', () => {
    const text = buildCalendarFile(EVENT)
    expect(valueIn(text, 'DTSTART')).toBe('20261128T020000Z')
    expect(valueIn(text, 'DTEND')).toBe('20261128T050000Z')
    expect(valueIn(text, 'DTSTAMP')).toBe('20261121T030500Z')
    expect(valueIn(text, 'TRIGGER')).toBe('-P1D')
  })

  test('moves a time before seven in the morning to the previous day in UTC', () => {
    expect(valueIn(buildCalendarFile({ ...EVENT, time: { from: '05:30', to: '06:00' } }), 'DTSTART')).toBe(
      '20261127T223000Z',
    )
  })

  test('without a time makes an all-day event, shown as free, with a reminder at nine the day before', () => {
    const properties = readCalendar(buildCalendarFile({ ...EVENT, day: '2026-12-31', time: undefined }))
    expect(of(properties, 'DTSTART')[0]).toEqual({ name: 'DTSTART', parameters: ['VALUE=DATE'], value: '20261231' })
    expect(of(properties, 'DTEND')[0]).toEqual({ name: 'DTEND', parameters: ['VALUE=DATE'], value: '20270101' })
    expect(of(properties, 'TRANSP')[0]!.value).toBe('TRANSPARENT')
    expect(of(properties, 'TRIGGER')[0]!.value).toBe('-PT15H')
  })

  test('keeps the UID and raises SEQUENCE when made later, so that the event moves', () => {
    const later = { ...EVENT, day: '2026-12-02', now: new Date('2026-11-22T03:05:00Z') }
    expect(valueIn(buildCalendarFile(later), 'UID')).toBe(valueIn(buildCalendarFile(EVENT), 'UID'))
    expect(Number(valueIn(buildCalendarFile(later), 'SEQUENCE'))).toBeGreaterThan(
      Number(valueIn(buildCalendarFile(EVENT), 'SEQUENCE')),
    )
  })

  test('adds no lines for any name', () => {
    const names = fc.string({ unit: 'binary', maxLength: 300 })
    fc.assert(
      fc.property(names, (name) => {
        const properties = readCalendar(
          buildCalendarFile({ ...EVENT, summary: name.toWellFormed(), description: name.toWellFormed() }),
        )
        expect(properties).toHaveLength(readCalendar(buildCalendarFile(EVENT)).length)
        const value = of(properties, 'SUMMARY')[0]!.value
        expect(value).not.toMatch(/(?![\u0080-\u009F])\p{Cc}/u)
      }),
    )
  })

  test('replaces the control characters of ASCII, and no others', () => {
    const isReplaced = (code: number) => code < 0x20 || code === 0x7f
    for (let code = 0; code <= 0xa0; code += 1) {
      if (code === 0x0a || code === 0x0d) continue
      const summary = `a${String.fromCharCode(code)}b`
      const { value } = of(readCalendar(buildCalendarFile({ ...EVENT, summary })), 'SUMMARY')[0]!
      expect([code, textOf(value)]).toEqual([code, isReplaced(code) ? 'a b' : summary])
    }
  })
})

describe('folding', () => {
  const thai = fc.string({ unit: fc.constantFrom(...'กขคงนำ์่้ีิูุัเแโ ฯ0aA,;'), maxLength: 400 })

  test.each([
    ['Thai text', thai],
    [
      'any text',
      fc.string({ unit: 'binary', maxLength: 400 }).map((text) => text.toWellFormed().replace(/[\r\n]/g, '')),
    ],
    ['emoji and marks', fc.string({ unit: 'grapheme', maxLength: 300 })],
  ])('keeps every line of %s within 75 octets, and unfolding restores the text', (_name, texts) => {
    fc.assert(
      fc.property(texts, (text) => {
        const folded = foldCalendarLine(text)
        for (const line of folded.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
        expect(folded.replaceAll('\r\n ', '')).toBe(text)
      }),
    )
  })

  test('never puts a vowel or a tone mark at the start of a line', () => {
    fc.assert(
      fc.property(thai, (text) => {
        // A text that starts with a combining mark has no base letter for it.
        const folded = foldCalendarLine(`SUMMARY:${text}`)
        for (const line of folded.split('\r\n').slice(1)) expect(line).not.toMatch(/^ \p{M}/u)
      }),
    )
  })

  test('breaks a letter with more marks than fit on a line', () => {
    const folded = foldCalendarLine(`ก${'่'.repeat(60)}`)
    for (const line of folded.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
  })
})
