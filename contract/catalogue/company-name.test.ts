import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { getCompanyKey, getTenderPartyKeys, toCompanyNameKey } from './company-name.ts'

const named = (name: string) => getCompanyKey({ taxId: null, name })

describe('company names', () => {
  test.each([
    ['บริษัท รุ่งเรือง จำกัด', 'บจก.รุ่งเรือง'],
    ['บริษัท รุ่งเรือง จำกัด', 'บจก รุ่งเรือง'],
    ['บริษัท รุ่งเรือง จำกัด', 'บริษัท  รุ่งเรือง  จํากัด'],
    ['บริษัท รุ่งเรือง จำกัด', 'บริษัทจำกัด รุ่งเรือง'],
    ['บริษัท รุ่งเรือง จำกัด', 'รุ่งเรือง จก.'],
    ['บริษัท รุ่งเรือง จำกัด', 'บริษัท รุ่งเรือง จำกัด (สำนักงานใหญ่)'],
    ['บริษัท รุ่งเรือง จำกัด', 'บ. รุ่งเรือง จำกัด'],
    ['บริษัท รุ่งเรือง จำกัด', 'บ.รุ่งเรือง จก.'],
    ['บริษัท รุ่งเรือง จำกัด', 'บริษัท รุ่งเรือง จำกัด สำนักงานใหญ่'],
    ['บริษัท รุ่งเรือง จำกัด', 'บริษัท รุ่งเรือง จำกัด (สาขาที่ ๐๐๐๐๑)'],
    ['บริษัท รุ่งเรือง จำกัด', 'บริษัท รุ่งเรือง จำกัด สาขา 3'],
    ['บริษัท รุ่งเรือง จำกัด', 'บริษัท รุ่งเรือง จำกัด.'],
    ['บริษัท รุ่งเรือง จำกัด', '"บริษัท รุ่งเรือง จำกัด"'],
    ['บริษัท รุ่งเรือง จำกัด', '๑. บริษัท รุ่งเรือง จำกัด'],
    ['บริษัท รุ่งเรือง จำกัด', 'รุ่งเรือง, บจก.'],
    ['บริษัท รุ่งเรือง จำกัด', 'บริษัท รุ่งเรือง จำกัด สาขาที่ 00002 เชียงใหม่'],
    ['บริษัท รุ่งเรือง จำกัด', 'บริษัท รุ่งเรือง จำกัด สนญ.'],
    ['บริษัท รุ่งเรือง จำกัด', 'บริษัท รุ่งเรือง จำกัด (00000)'],
    ['บริษัท รุ่งเรือง จำกัด', 'บริษัท รุ่งเรือง จำกัด, สาขาเชียงใหม่'],
    ['บริษัท รุ่งเรือง จำกัด', 'บริษัท รุ่งเรือง จำกัด (สาขาเชียงใหม่)'],
    ['บริษัท รุ่งเรือง จำกัด', 'บริษัท รุ่งเรือง จำกัด โดยนายสมชาย ใจดี'],
    ['บริษัท รุ่งเรือง จำกัด (มหาชน)', 'บริษัท รุ่งเรือง จำกัด (มหาชน) โดย นางสาวสมหญิง ใจดี'],
    ['บริษัท รุ่ง-เรือง จำกัด', 'บริษัท รุ่งเรือง จำกัด'],
    ['TEST THREE CO.,LTD.', 'Test Three Co., Ltd (Head Office)'],
    ['บริษัท รุ่งเรือง จำกัด (มหาชน)', 'บมจ. รุ่งเรือง'],
    ['บริษัท รุ่งเรือง จำกัด (มหาชน)', 'บริษัท รุ่งเรือง จำกัด(มหาชน)'],
    ['ห้างหุ้นส่วนจำกัด เค.ที.เอ็ม.๙๙๙', 'หจก. เค ที เอ็ม 999'],
    ['ห้างหุ้นส่วนจำกัด เค.ที.เอ็ม.999', 'ห้างหุ่นส่วนจำกัดเค.ที.เอ็ม.999'],
    ['ห้างหุ้นส่วนสามัญ ก', 'ห้างหุ้นส่วนสามัญนิติบุคคล ก'],
    ['สหกรณ์โคนมขอนแก่น', 'สหกรณ์โคนมขอนแก่น จำกัด'],
    ['ABC Trading Co., Ltd.', 'abc trading company limited'],
    ['บริษัท ABC จำกัด', 'ABC CO.,LTD.'],
    ['เอบีซี (ไทยแลนด์) จำกัด', 'บจ. เอบีซี (ไทยแลนด์)'],
  ])('%s is the same company as %s', (a, b) => {
    expect(toCompanyNameKey(a)).toBe(toCompanyNameKey(b))
    expect(named(a)).toBe(named(b))
  })

  test.each([
    ['บริษัท ก จำกัด', 'ห้างหุ้นส่วนจำกัด ก'],
    ['บริษัท ก จำกัด', 'บริษัท ก จำกัด (มหาชน)'],
    ['บริษัท ก จำกัด', 'ก'],
    ['ห้างหุ้นส่วนจำกัด ก', 'ห้างหุ้นส่วนสามัญ ก'],
  ])('%s has the search key of %s but is another company', (a, b) => {
    expect(toCompanyNameKey(a)).toBe(toCompanyNameKey(b))
    expect(named(a)).not.toBe(named(b))
  })

  test('distinguish joint ventures that share an e-GP id', () => {
    const venture = (name: string) => getCompanyKey({ taxId: 'D888888888001', name })
    expect(venture('กิจการร่วมค้า หนึ่ง และ สอง')).not.toBe(venture('กลุ่มบริษัท อีกกลุ่มหนึ่ง'))
    expect(venture('กิจการร่วมค้าหนึ่ง-สอง')).toBe(getCompanyKey({ taxId: null, name: 'กิจการร่วมค้า หนึ่งสอง' }))
  })

  test('keep words that only look like a form or branch suffix', () => {
    expect(toCompanyNameKey('ร้าน สาขาอาหาร')).toBe('ร้านสาขาอาหาร')
    expect(toCompanyNameKey('ร้านโดยนายช่าง')).toBe('ร้านโดยนายช่าง')
    expect(toCompanyNameKey('ร้าน ทองทิพย์แอร์')).toBe('ร้านทองทิพย์แอร์')
    expect(toCompanyNameKey('กิจการร่วมค้า อาร์แอลจี')).toBe('กิจการร่วมค้าอาร์แอลจี')
    expect(toCompanyNameKey('Taco Ltd')).toBe('taco')
    expect(toCompanyNameKey('หจก.วาทิต จำกัดความ')).toBe('วาทิตจำกัดความ')
    expect(toCompanyNameKey('บริษัท จำกัด')).toBe('บริษัทจำกัด')
    expect(toCompanyNameKey('')).toBe('')
  })

  test('compare equal however they are typed: blanks, dots, Thai digits, case, both codes of sara am', () => {
    const letters = [...'กขคงจชดตทนบปพมยรลวสหอฮABCxyz0123456789']
    const syllable = fc.tuple(fc.constantFrom(...letters), fc.constantFrom('', 'า', 'ำ', 'ิ', 'ี่', 'ุ'))
    const stem = fc.array(syllable, { minLength: 1, maxLength: 12 }).map((parts) => parts.flat().join(''))
    const form = fc.constantFrom(
      ['บริษัท ', ' จำกัด'],
      ['บริษัท ', ' จำกัด (มหาชน)'],
      ['บจก.', ''],
      ['หจก.', ''],
      ['ห้างหุ้นส่วนสามัญ ', ''],
      ['', ''],
      ['ร้าน', ''],
    )
    const typed = (text: string, [split, double, digits, upper]: readonly boolean[]) => {
      let out = text
      if (split) out = out.replaceAll('\u0e33', '\u0e4d\u0e32')
      if (double) out = `  ${out.replaceAll(' ', '   ')} `
      if (digits) out = out.replace(/\d/g, (digit) => String.fromCharCode(0x0e50 + Number(digit)))
      return upper ? out.toUpperCase() : out
    }
    fc.assert(
      fc.property(stem, form, fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }), (text, [before, after], how) => {
        const name = `${before}${text}${after}`
        expect(toCompanyNameKey(typed(name, how))).toBe(toCompanyNameKey(name))
        expect(named(typed(name, how))).toBe(named(name))
        expect(toCompanyNameKey(name).replace(/[\s.,]/g, '')).toBe(toCompanyNameKey(name))
      }),
      { numRuns: 500 },
    )
  })

  test('never throw, and have no key only when empty', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const key = named(text)
        expect(key === undefined).toBe(toCompanyNameKey(text) === '')
      }),
    )
  })
})

describe('tax ids', () => {
  test('identify the company whatever its name is', () => {
    expect(getCompanyKey({ taxId: '0105546135262', name: 'บริษัท ก จำกัด' })).toBe('t:0105546135262')
    expect(getCompanyKey({ taxId: '0-1055-46135-26-2', name: null })).toBe('t:0105546135262')
    expect(getCompanyKey({ taxId: 'D888888888001', name: 'กิจการค้าร่วม' })).toBe('n:none:กิจการค้าร่วม')
  })

  test.each(['0000000000000', '330960000xxxx', 'xxxxxxxxxxxxx', '3309600001234', '', '123'])(
    '%s is unusable, so the name identifies the company',
    (taxId) => {
      expect(getCompanyKey({ taxId, name: 'ร้านไอคอน คอมพิวเตอร์' })).toBe('n:none:ร้านไอคอนคอมพิวเตอร์')
      expect(getCompanyKey({ taxId, name: null })).toBeUndefined()
    },
  )

  test('apply to the same name in the same project', () => {
    expect(
      getTenderPartyKeys([
        { taxId: '0105546135262', name: 'บริษัท ก จำกัด' },
        { taxId: null, name: 'บจก. ก' },
        { taxId: null, name: 'หจก. ก' },
        { taxId: null, name: null },
      ]),
    ).toEqual(['t:0105546135262', 't:0105546135262', 'n:limited_partnership:ก', undefined])
  })
})
