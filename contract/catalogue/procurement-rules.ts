/**
 * The rules of Thai procurement that the product states, each with its source and the days between which it applies.
 * No other file has a percentage, a number of days or an amount of the law (`procurement-rules.test.ts`).
 *
 * Read on 28 Nov 2026: the Act, the Regulation, the ministerial regulations and the guide of the Comptroller General's
 * Department named in `LAW_NAMES`. `isConfirmed` is false for what is known only from the press: such a rule is never
 * used, and operators see it as unconfirmed in `docs/rules.md`.
 */

const LAW_NAMES = {
  act_2560: 'พ.ร.บ. การจัดซื้อจัดจ้างฯ พ.ศ. 2560 ม.',
  regulation_2560: 'ระเบียบกระทรวงการคลังฯ พ.ศ. 2560 ข้อ',
  no_appeal_2568: 'กฎกระทรวงกำหนดเรื่องที่อุทธรณ์ไม่ได้ พ.ศ. 2568 ข้อ',
  limits_2560: 'กฎกระทรวงกำหนดวงเงินการจัดซื้อจัดจ้างวิธีเฉพาะเจาะจงฯ พ.ศ. 2560 ข้อ',
  promotion_2563: 'กฎกระทรวงกำหนดพัสดุที่รัฐต้องการส่งเสริมฯ (ฉบับที่ 2) พ.ศ. 2563 ข้อ',
  guide_2568: 'แนวทางกรมบัญชีกลาง ก.ย. 2568 คุณสมบัติผู้ยื่นข้อเสนอ ข้อ',
  anti_corruption: 'ประกาศมาตรฐานขั้นต่ำนโยบายป้องกันการทุจริตฯ ตาม ม. 19 ของ พ.ร.บ. พ.ศ. 2560 ฉบับที่',
  report_card_2569: 'ระเบียบกระทรวงการคลังฯ (ฉบับที่ 3) พ.ศ. 2569 ข้อ',
} as const
export type LawClause = { readonly law: keyof typeof LAW_NAMES; readonly clause: string }

export const formatLawClause = ({ law, clause }: LawClause): string => `${LAW_NAMES[law]} ${clause}`

/** The value for amounts above `aboveBaht`, up to the next tier. */
type RuleTier = { readonly aboveBaht: number; readonly value: number }

type RuleVersion<Value> = {
  readonly value: Value
  readonly source: LawClause
  /** First and last day (ISO); `validUntil` is null while the rule is in force. */
  readonly validFrom: string
  readonly validUntil: string | null
  readonly isConfirmed: boolean
  /** What is uncertain about the version, for operators. */
  readonly remark?: string
}
type Rule<Value> = { readonly title: string; readonly versions: readonly RuleVersion<Value>[] }

/** The Act took effect on this day, the Regulation and the ministerial regulations of B.E. 2560 a day later. */
const IN_FORCE = '2017-08-23'
/** The guide of September 2025 quotes circulars; the circular on capital (March 2023) was read only as quoted there. */
const GUIDE_IN_FORCE = '2023-04-01'
const MILLION = 1_000_000

const inForce = <Value>(title: string, value: Value, source: LawClause, validFrom: string = IN_FORCE): Rule<Value> => ({
  title,
  versions: [{ value, source, validFrom, validUntil: null, isConfirmed: true }],
})

export const PROCUREMENT_RULES = {
  hearingOptionalAboveBaht: inForce('รับฟังความเห็นร่าง TOR ได้เมื่อวงเงินเกิน (บาท)', 500_000, {
    law: 'regulation_2560',
    clause: '45 (1)',
  }),
  hearingRequiredAboveBaht: inForce('ต้องรับฟังความเห็นร่าง TOR เมื่อวงเงินเกิน (บาท)', 5 * MILLION, {
    law: 'regulation_2560',
    clause: '45 (2)',
  }),
  hearingWorkingDays: inForce('เผยแพร่ร่างเพื่อรับฟังความเห็นอย่างน้อย และอีกครั้งหลังแก้ไข (วันทำการ)', 3, {
    law: 'regulation_2560',
    clause: '46–47',
  }),
  commentIsSigned: inForce('ส่งความเห็นต่อร่างถึงหน่วยงานโดยตรง โดยเปิดเผยตัว', true, {
    law: 'regulation_2560',
    clause: '46',
  }),
  specificationNamesNoBrand: inForce(
    'กำหนดคุณลักษณะให้ใกล้เคียงยี่ห้อใดหรือผู้ขายรายใดโดยเฉพาะไม่ได้ เว้นแต่มียี่ห้อเดียวหรือเป็นอะไหล่',
    true,
    { law: 'act_2560', clause: '9' },
  ),
  /** Bidders who did not comment on the draft cannot appeal about the scope of work. */
  hearingForfeitsAppeal: inForce(
    'ไม่วิจารณ์ร่างแล้วอุทธรณ์เรื่องขอบเขตของงานไม่ได้',
    true,
    { law: 'no_appeal_2568', clause: '3 (2)' },
    '2025-04-19',
  ),
  publicationWorkingDays: inForce<readonly RuleTier[]>(
    'เผยแพร่ประกาศเชิญชวน e-bidding อย่างน้อย (วันทำการ) ตามวงเงินที่เกิน',
    [
      { aboveBaht: 500_000, value: 5 },
      { aboveBaht: 5 * MILLION, value: 10 },
      { aboveBaht: 10 * MILLION, value: 12 },
      { aboveBaht: 50 * MILLION, value: 20 },
    ],
    { law: 'regulation_2560', clause: '51' },
  ),
  explanationWorkingDays: inForce('หน่วยงานเผยแพร่คำชี้แจงก่อนวันเสนอราคาอย่างน้อย (วันทำการ)', 3, {
    law: 'regulation_2560',
    clause: '52',
  }),
  sampleWorkingDays: inForce('ส่งตัวอย่าง นำเสนองาน หรือส่งเอกสารหลังวันเสนอราคาภายใน (วันทำการ)', 5, {
    law: 'regulation_2560',
    clause: '44',
  }),
  /** The bid day is the working day after the last day of publication, when papers are last given or sold. */
  bidDay: inForce('วันเสนอราคาวันเดียว คือวันทำการถัดจากวันสุดท้ายที่ให้หรือขายเอกสาร', true, {
    law: 'regulation_2560',
    clause: '43, 49, 54',
  }),
  papersEndWorkingDays: inForce('วันสุดท้ายที่ให้หรือขายเอกสาร ก่อนวันเสนอราคา (วันทำการ)', 1, {
    law: 'regulation_2560',
    clause: '43, 49',
  }),
  papersOfCancelledRoundAreFree: inForce('ผู้รับหรือซื้อเอกสารของรอบที่ยกเลิก ได้เอกสารรอบใหม่โดยไม่ต้องซื้ออีก', true, {
    law: 'regulation_2560',
    clause: '49',
  }),
  appealWorkingDays: inForce('ผู้ที่ยื่นข้อเสนออุทธรณ์ผลได้ภายใน (วันทำการ)', 7, { law: 'act_2560', clause: '117' }),
  appealDecisionWorkingDays: inForce('หน่วยงานวินิจฉัยอุทธรณ์ภายใน (วันทำการ)', 7, { law: 'act_2560', clause: '118' }),
  appealReportWorkingDays: inForce('หน่วยงานรายงานคณะกรรมการอุทธรณ์ภายใน (วันทำการ)', 3, {
    law: 'act_2560',
    clause: '119',
  }),
  appealBoardDays: inForce(
    'คณะกรรมการอุทธรณ์พิจารณาใน (วัน)',
    { days: 30, extensions: 2, extensionDays: 15 },
    {
      law: 'act_2560',
      clause: '119',
    },
  ),
  contractWaitsForAppeal: inForce('ลงนามสัญญาได้เมื่อพ้นกำหนดอุทธรณ์', true, { law: 'act_2560', clause: '66' }),
  urgentSelectionHasNoAppeal: inForce(
    'ผลของการคัดเลือกเร่งด่วนตาม ม. 56 (1) (ค) อุทธรณ์ไม่ได้',
    true,
    { law: 'no_appeal_2568', clause: '3 (4)' },
    '2025-04-19',
  ),
  /** Up to this amount a contract can be signed without waiting for appeals (s. 66 with s. 96 paragraph two). */
  smallSumBaht: inForce('วงเงินเล็กน้อยที่ลงนามได้โดยไม่รออุทธรณ์ ไม่เกิน (บาท)', 100_000, {
    law: 'limits_2560',
    clause: '4',
  }),
  specificMethodBaht: inForce('วิธีเฉพาะเจาะจงใช้ได้เมื่อวงเงินไม่เกิน (บาท)', 500_000, {
    law: 'limits_2560',
    clause: '1',
  }),
  bidBondAboveBaht: inForce('e-bidding ต้องวางหลักประกันการเสนอราคาเมื่อวงเงินเกิน (บาท)', 5 * MILLION, {
    law: 'regulation_2560',
    clause: '166',
  }),
  /** In percent of the budget for bids, of the price for contracts. Important work may require up to `maxPercent`. */
  bondPercent: inForce(
    'หลักประกันการเสนอราคาและหลักประกันสัญญา (ร้อยละ)',
    { percent: 5, maxPercent: 10 },
    { law: 'regulation_2560', clause: '168' },
  ),
  guaranteeReturnDays: inForce('คืนหลักประกันสัญญาหลังพ้นข้อผูกพันไม่เกิน (วัน)', 15, {
    law: 'regulation_2560',
    clause: '170 (2)',
  }),
  penaltyPercentPerDay: inForce(
    'ค่าปรับรายวัน (ร้อยละของราคา): พัสดุที่ยังไม่ส่งมอบ · งานจ้างที่ต้องการผลสำเร็จพร้อมกัน · สาธารณูปโภคที่กระทบจราจร',
    { supplies: [0.01, 0.2], works: [0.01, 0.1], traffic: 0.25, minBahtPerDay: 100 },
    { law: 'regulation_2560', clause: '162' },
  ),
  positiveNetWorth: inForce(
    'นิติบุคคลที่มีงบแสดงฐานะการเงินแล้ว มูลค่าสุทธิของกิจการต้องเป็นบวก',
    true,
    { law: 'guide_2568', clause: '12.1' },
    GUIDE_IN_FORCE,
  ),
  paidCapitalBaht: inForce<readonly RuleTier[]>(
    'นิติบุคคลที่ยังไม่มีงบ ทุนจดทะเบียนที่ชำระแล้วไม่ต่ำกว่า (บาท) ตามวงเงินที่เกิน',
    [
      { aboveBaht: MILLION, value: MILLION },
      { aboveBaht: 5 * MILLION, value: 2 * MILLION },
      { aboveBaht: 10 * MILLION, value: 3 * MILLION },
      { aboveBaht: 20 * MILLION, value: 8 * MILLION },
      { aboveBaht: 60 * MILLION, value: 20 * MILLION },
      { aboveBaht: 150 * MILLION, value: 60 * MILLION },
      { aboveBaht: 300 * MILLION, value: 100 * MILLION },
      { aboveBaht: 500 * MILLION, value: 200 * MILLION },
    ],
    { law: 'guide_2568', clause: '12.2' },
    GUIDE_IN_FORCE,
  ),
  /** A natural person needs a deposit of `share` of the budget when the budget exceeds `aboveBaht`. */
  personDeposit: inForce(
    'บุคคลธรรมดา ต้องมีเงินฝากเป็นสัดส่วนของวงเงิน เมื่อวงเงินเกิน (บาท)',
    { aboveBaht: 500_000, share: 0.25 },
    { law: 'guide_2568', clause: '12.3' },
    GUIDE_IN_FORCE,
  ),
  creditLineShare: inForce(
    'วงเงินสินเชื่อแทนมูลค่าสุทธิหรือทุน เป็นสัดส่วนของวงเงิน',
    0.25,
    { law: 'guide_2568', clause: '12.4' },
    GUIDE_IN_FORCE,
  ),
  bankLetterDays: inForce(
    'หนังสือรับรองสินเชื่อและเงินฝากมีอายุนับถึงวันยื่นไม่เกิน (วัน)',
    90,
    { law: 'guide_2568', clause: '12.3–12.4' },
    GUIDE_IN_FORCE,
  ),
  antiCorruptionFromBaht: {
    title: 'ต้องมีนโยบายป้องกันการทุจริตเมื่อวงเงินตั้งแต่ (บาท)',
    versions: [
      {
        value: 500 * MILLION,
        source: { law: 'anti_corruption', clause: '1 (เกณฑ์เดิม)' },
        validFrom: IN_FORCE,
        validUntil: '2024-10-31',
        isConfirmed: true,
        remark: 'The threshold changed in October 2024; the day is not known, so the last of the month is assumed.',
      },
      {
        value: 300 * MILLION,
        source: { law: 'anti_corruption', clause: '1' },
        validFrom: '2024-11-01',
        validUntil: null,
        isConfirmed: true,
      },
    ],
  } satisfies Rule<number>,
  antiCorruptionUntilLastPayment: inForce(
    'ต้องรักษานโยบายป้องกันการทุจริตจนจ่ายเงินงวดสุดท้าย',
    true,
    { law: 'anti_corruption', clause: '2' },
    '2026-05-10',
  ),
  integrityPactFromBaht: inForce(
    'ต้องลงนามข้อตกลงคุณธรรมเมื่อวงเงินตั้งแต่ (บาท)',
    1_000 * MILLION,
    { law: 'guide_2568', clause: 'ข้อตกลงคุณธรรม' },
    GUIDE_IN_FORCE,
  ),
  /** Under the price criterion, in percent by which the price of the bidder may be higher and still win. */
  priceAdvantagePercent: {
    title: 'แต้มต่อราคา (ร้อยละ) ในเกณฑ์ราคา: SMEs · Made in Thailand · ทั้งสองอย่าง · ไทยเทียบต่างชาติ',
    versions: [
      {
        value: { sme: 10, mit: 5, both: 15, thai: 3 },
        source: { law: 'promotion_2563', clause: '27/1–27/4' },
        validFrom: '2020-12-23',
        validUntil: null,
        isConfirmed: true,
        remark: 'In force since December 2020; the day was not checked in the Gazette.',
      },
      {
        value: { sme: 10, mit: 5, both: 15, thai: 3 },
        source: { law: 'promotion_2563', clause: 'ร่าง 2568 (5–15 %)' },
        validFrom: '2025-02-01',
        validUntil: null,
        isConfirmed: false,
        remark: 'Draft approved in principle in February 2025; whether it is in force is not confirmed.',
      },
    ],
  } satisfies Rule<{ readonly sme: number; readonly mit: number; readonly both: number; readonly thai: number }>,
  domesticMaterialPercent: inForce(
    'งานก่อสร้างใช้พัสดุในประเทศตามมูลค่า และเหล็กตามปริมาณ อย่างน้อย (ร้อยละ)',
    { materials: 60, steel: 90 },
    { law: 'promotion_2563', clause: '27/3' },
    '2020-12-23',
  ),
  suspensionDaysByPoints: inForce(
    'แต้มความเสียหายสะสม → วันที่ถูกพักสิทธิ',
    [
      { points: 10, days: 30 },
      { points: 30, days: 90 },
      { points: 60, days: 180 },
      { points: 120, days: 360 },
      { points: 180, days: 540 },
      { points: 240, days: 720 },
    ],
    { law: 'report_card_2569', clause: 'สมุดพกผู้รับเหมา' },
    '2026-07-10',
  ),
} as const

export type ProcurementRuleName = keyof typeof PROCUREMENT_RULES
type ProcurementRuleValue<Name extends ProcurementRuleName> =
  (typeof PROCUREMENT_RULES)[Name]['versions'][number]['value']

/**
 * Returns the confirmed version of a rule on the ISO day of the announcement, not of today; undefined if none was in
 * force. A null day means the newest version.
 */
export function findProcurementRule<Name extends ProcurementRuleName>(
  name: Name,
  announcedOn: string | null,
): { readonly value: ProcurementRuleValue<Name>; readonly source: LawClause } | undefined {
  const versions: readonly RuleVersion<ProcurementRuleValue<Name>>[] = PROCUREMENT_RULES[name].versions
  return versions.findLast(
    ({ isConfirmed, validFrom, validUntil }) =>
      isConfirmed &&
      (announcedOn === null
        ? validUntil === null
        : announcedOn >= validFrom && (validUntil === null || announcedOn <= validUntil)),
  )
}

/** Returns the confirmed versions of a rule, oldest first. */
export function listProcurementRuleVersions<Name extends ProcurementRuleName>(
  name: Name,
): readonly RuleVersion<ProcurementRuleValue<Name>>[] {
  const versions: readonly RuleVersion<ProcurementRuleValue<Name>>[] = PROCUREMENT_RULES[name].versions
  return versions.filter(({ isConfirmed }) => isConfirmed)
}

/** Returns the newest confirmed version, for texts that belong to no announcement. */
export function getCurrentProcurementRule<Name extends ProcurementRuleName>(name: Name) {
  const rule = findProcurementRule(name, null)
  if (!rule) throw new Error(`rule ${name} is not in force`)
  return rule
}

/** Returns the value of the highest tier that `baht` exceeds; undefined up to the first one. */
export const findRuleTier = (tiers: readonly RuleTier[], baht: number): number | undefined =>
  tiers.findLast(({ aboveBaht }) => baht > aboveBaht)?.value
