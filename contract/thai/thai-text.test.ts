import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { measureCpuMs } from '../../test/processor-time.ts'
import { normaliseThai, removeSpacesNextToThai, toNormalisedSearchText } from './thai-text.ts'

/**
 * Text that often triggers the rules: marks, spaces, Latin, digits, invisible characters, and occasionally anything
 * else.
 */
const UNITS = [..."กนมรอเแาะำํุูิีึื็่้๊๋์ฯๆ๑๙ aZ0é–’×½“Ø″º,,٬' -\u2009\u00a0\u200b\ufeff\u0301ﬁΣς①Ａ가ᄀ\t"].map((unit) =>
  fc.constant(unit),
)
const thaiText = fc.string({
  unit: fc.oneof(
    { weight: 60, arbitrary: fc.oneof(...UNITS) },
    fc.string({ minLength: 1, maxLength: 1, unit: 'binary' }),
  ),
})

describe('normaliseThai', () => {
  it.each([
    ['sara am in two characters', 'น\u0e4d\u0e32', 'น\u0e33'],
    ['sara am in two characters around a tone', 'น\u0e4d\u0e49\u0e32', 'น\u0e49\u0e33'],
    ['nikhahit typed after the tone', 'น\u0e49\u0e4d\u0e32', 'น\u0e49\u0e33'],
    ['sara am left whole by NFKC', 'น้ำ', 'น\u0e49\u0e33'],
    ['a tone typed after sara am', 'น\u0e33\u0e49', 'น\u0e49\u0e33'],
    ['two sara e', 'เเม่', 'แม่'],
    ['two sara e with something invisible between', 'เ\u200bเม่', 'แม่'],
    ['repeated tones: the last stays', 'ก\u0e48\u0e48\u0e49', 'ก\u0e49'],
    ['tones on both sides of nikhahit', 'น\u0e48\u0e4d\u0e49\u0e32', 'น\u0e49\u0e33'],
    ['sara am twice with tones about', 'น\u0e48\u0e33\u0e33\u0e49', 'น\u0e49\u0e33'],
    ['a tone before its upper vowel', 'ท\u0e48\u0e35', 'ท\u0e35\u0e48'],
    ['a doubled vowel', 'รถบรรทุ\u0e38ก', 'รถบรรทุก'],
    ['thanthakhat before its vowel', 'พันธ\u0e4c\u0e38', 'พันธ\u0e38\u0e4c'],
    ['zero-width characters and BOM', '\ufeffก\u200bล\u200cอ\u200dง\u2060', 'กลอง'],
    ['Thai digits', '๐๑๒๓๔๕๖๗๘๙', '0123456789'],
    ['runs of blanks, of any kind, and those at the ends', '\u00a0 a\t\n b\u3000', 'a b'],
    ['U+0000, which PostgreSQL refuses', 'a\u0000b', 'a b'],
    ['half of a surrogate pair', 'a\ud800b', 'ab'],
    ['upper case', 'CCTV Ü', 'cctv ü'],
    ['full-width Latin', 'ＣＣＴＶ １０', 'cctv 10'],
    ['squared units', 'พื้นที่ ๕ ㎡', 'พื้นที่ 5 m2'],
    ['final sigma', 'ΟΔΟΣ', 'οδοσ'],
    ['dashes', 'กม.0+000–กม.1 ก‐ข‑ค—ง−5', 'กม.0+000-กม.1 ก-ข-ค-ง-5'],
    ['apostrophes and primes', 'Let’s ‘ก’ 5′ x´', "let's 'ก' 5' x'"],
    ['quotes', '“ก” „ข“ «ค» 6″ ท่อ 2”', '"ก" "ข" "ค" 6" ท่อ 2"'],
    ['signs of multiplication', '6×4 ✕ 2✖3', '6x4 x 2x3'],
    ['fractions', '½ 1½ ๑ ¾ ๒⅜″ 1⁄2', '1/2 1 1/2 1 3/4 2 3/8" 1/2'],
    ['signs of a diameter', 'Ø 90 ø90 ⌀ 90 ∅90', 'ø 90 ø90 ø 90 ø90'],
    ['degrees', '20°C 20ºC 20˚C ℃', '20°c 20°c 20°c °c'],
    ['a variation selector and a filler', 'ก\ufe0f\u115fข\u034f', 'กข'],
    ['thousands', '30,000 ๑๒,๓๔๕,๖๗๘.๙๐ (1,500)', '30000 12345678.90 (1500)'],
    ['a range of thousands', '10,000–20,000', '10000-20000'],
    ['thousands of other scripts', "30٬000 ๑๒،๓๔๕ 7’500 1'250'000", '30000 12345 7500 1250000'],
    ['thousands with narrow blanks', '30\u202f000 ๑\u2009๒๕๐\u2009๐๐๐ 4\u2007500', '30000 1250000 4500'],
  ])('normalises %s to one form', (_, typed, form) => {
    expect(normaliseThai(typed)).toBe(form)
  })

  it('leaves well-formed Thai unchanged', () => {
    const title = 'ประกวดราคาจ้างก่อสร้างปรับปรุงซ่อมแซมถนนหมู่ที่ 5 ตำบลบึงน้ำรักษ์ พันธุ์กล้าไม้ ก๋วยเตี๋ยว'
    expect(normaliseThai(title)).toBe(title)
  })

  it.each([
    'รถ,102,สว่าน',
    '420-51-104,420-51-105',
    'ห้อง 1,2,3',
    '025,420',
    '1,000,5',
    '12,34',
    '1,2345',
    '1/2,500',
    'a,100',
    "5'000'",
    "ท่อ 6'x4'",
    "0'500",
  ])('keeps commas outside numbers: %s', (text) => {
    expect(normaliseThai(text)).toBe(text)
  })

  it('is idempotent', () => {
    fc.assert(
      // Foreign combining marks among Thai ones have their own canonical order.
      fc.property(
        thaiText.map((text) => text.replace(/(?![\u0e00-\u0e7f])\p{M}/gu, '')),
        (text) => {
          const form = normaliseThai(text)
          expect(normaliseThai(form)).toBe(form)
        },
      ),
      { numRuns: 3000 },
    )
  })

  it('reads Thai alone as it does among other scripts', () => {
    // A leading letter outside Thai and ASCII disables the fast path of the function under test.
    const thai = fc.string({ unit: fc.constantFrom(...'กนมเแาะำํฺุูิีัึื็่้๊๋์๙ aZ0'), maxLength: 12 })
    fc.assert(
      fc.property(thai, (text) => {
        expect(`é|${normaliseThai(text)}`).toBe(normaliseThai(`é|${text.trim()}`))
      }),
      { numRuns: 10_000 },
    )
  })

  it('does not depend on the composition of the text', () => {
    fc.assert(
      fc.property(thaiText, (text) => {
        expect(normaliseThai(text.normalize('NFD'))).toBe(normaliseThai(text))
      }),
      { numRuns: 3000 },
    )
  })
})

describe('toNormalisedSearchText', () => {
  it.each([
    ['กล้อง วงจรปิด', 'กล้องวงจรปิด'],
    ['กล้องวงจร ปิด', 'กล้องวงจรปิด'],
    ['ระบบ IT กลาง', 'ระบบitกลาง'],
    ['กล้อง 10 ตัว', 'กล้อง10ตัว'],
    ['Windows  Server 2025', 'windows server 2025'],
    ['ก ข ค', 'กขค'],
    ['๑๐ ๒๐', '10 20'],
    ['( กล้อง )', '(กล้อง)'],
    ['มอก. 427 - 2562', 'มอก. 427-2562'],
    ['TH – JP', 'th-jp'],
    ['อีบิดดิ้ง — ก่อสร้าง', 'อีบิดดิ้ง-ก่อสร้าง'],
    ['กม.0+000 -กม.1+500', 'กม.0+000-กม.1+500'],
  ])('removes only blanks next to Thai and dashes: %s', (typed, form) => {
    expect(toNormalisedSearchText(typed)).toBe(form)
  })

  it('keeps ordinary spaces between numbers, which are separate', () => {
    expect(toNormalisedSearchText('ห้อง 101 102 30\u00a0000')).toBe('ห้อง101 102 30 000')
  })

  it('leaves no blank next to Thai or a dash and drops no other character', () => {
    fc.assert(
      fc.property(thaiText, (text) => {
        const spaced = normaliseThai(text)
        const form = removeSpacesNextToThai(spaced)
        expect(form).not.toMatch(/[-\u0e00-\u0e7f] | [-\u0e00-\u0e7f]/)
        expect(form.replaceAll(' ', '')).toBe(spaced.replaceAll(' ', ''))
      }),
      { numRuns: 2000 },
    )
  })
})

/** R31: a normalisation step that takes quadratic time would need minutes for these texts. */
it.each([
  'ก',
  ' ',
  'ก ',
  '\u0e48',
  '\u0e4d\u0e48',
  '\u0e4d',
  'เ',
  '\u0e33\u0e48',
  '\u0e48\u0e35',
  '\u200b',
  'a\u0301',
  '½',
  '1½',
  '–',
  '1,000,',
  '1٬000',
  '1\u2009000',
  ' - ',
  ',000',
  '9',
  '\u0301',
  '가',
])('runs in time proportional to the length (300,000 × %j)', (unit) => {
  expect(measureCpuMs(() => toNormalisedSearchText(unit.repeat(300_000)))).toBeLessThan(1500)
})
