import { formatBaht, parseThaiMoney } from '#contract/thai/thai-number.ts'
import { normaliseThai } from '#contract/thai/thai-text.ts'
import { getCurrentSession, getSessionOwner } from '#src/lib/session-store.ts'
import { readStoredJson, writeStoredJson } from '#src/lib/web-storage.ts'
import { discountToPriceRatio, type PriceRatio, priceToPriceRatio } from './price-rank.ts'

export type TargetPriceEntry =
  | {
      readonly ok: true
      readonly discount: number | undefined
      readonly baht: number | undefined
      readonly ratio: PriceRatio | undefined
    }
  | { readonly ok: false; readonly message: string }

/** A small number without a unit is a percentage, because no bid is 1 % of the reference price. */
const LIKELY_PERCENT_THRESHOLD = 0.99
const rejectEntry = (message: string): TargetPriceEntry => ({ ok: false, message })

/** Parses `5 ล้าน`, `4,800,000` or `12.5%` (also `ลด 12%`). Undefined for an empty field. */
export function parseTargetPrice(text: string, reference: number | null): TargetPriceEntry | undefined {
  const typed = normaliseThai(text).replaceAll(' ', '').replace(/^ลด/, '')
  if (typed === '') return undefined
  const percent = /^([-−–]?)(\d{1,3}(?:\.\d{1,4})?)(?:%|เปอร์เซ็นต์)$/.exec(typed)
  if (percent) {
    const discount = (Number(percent[2]) / 100) * (percent[1] === '' ? 1 : -1)
    if (discount >= 1) return rejectEntry('ส่วนลดต้องน้อยกว่า 100%')
    const baht = reference === null ? undefined : Math.round(reference * (1 - discount) * 100) / 100
    return { ok: true, discount, baht, ratio: discountToPriceRatio(discount) }
  }
  const money = parseThaiMoney(typed)
  if (!money.ok) return rejectEntry(money.code === 'E_FORMAT' ? 'อ่านราคาไม่ออก เช่น 5 ล้าน หรือ 12%' : money.message)
  if (money.baht <= 0) return rejectEntry('ใส่ราคาที่มากกว่า 0')
  if (reference === null || reference <= 0) return { ok: true, discount: undefined, baht: money.baht, ratio: undefined }
  const discount = (reference - money.baht) / reference
  if (discount > LIKELY_PERCENT_THRESHOLD && money.baht < 100)
    return rejectEntry(`${formatBaht(money.baht)} บาท? ถ้าหมายถึงส่วนลด ใส่ % ต่อท้าย`)
  return { ok: true, discount, baht: money.baht, ratio: priceToPriceRatio(money.baht, reference) }
}

/** Per user, so that other users of this device do not see the prices, which never leave the browser. */
const STORAGE_KEY = 'tamngan.target-prices'
const MAX_TARGETS = 300

type StoredTargets = readonly (readonly [projectId: string, text: string])[]

const keyOf = () => `${STORAGE_KEY}.${getSessionOwner(getCurrentSession()) ?? 'nobody'}`

function readStoredTargets(): StoredTargets {
  const value = readStoredJson(keyOf())
  if (!Array.isArray(value)) return []
  return value.filter(
    (pair): pair is [string, string] =>
      Array.isArray(pair) && pair.length === 2 && pair.every((text) => typeof text === 'string'),
  )
}

export function loadSavedTargetPrice(projectId: string): string {
  return readStoredTargets().find(([id]) => id === projectId)?.[1] ?? ''
}

/** Stores the text typed as target price; an empty text deletes it. */
export function saveTargetPrice(projectId: string, text: string): void {
  const otherTargets = readStoredTargets().filter(([id]) => id !== projectId)
  const targets =
    text.trim() === '' ? otherTargets : [[projectId, text] as const, ...otherTargets].slice(0, MAX_TARGETS)
  writeStoredJson(keyOf(), targets.length === 0 ? undefined : targets)
}
