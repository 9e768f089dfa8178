import { Link } from '@tanstack/react-router'
import { CalendarOff, CalendarX2, FilterX, ListPlus, Lock, SearchX } from 'lucide-react'
import type { BudgetPageResponse, BudgetYears } from '#contract/market/budget.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { Button, getButtonClasses } from '#src/ui/button.tsx'
import { EmptyCard } from '#src/ui/empty-card.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { LockedBudgetYears } from './budget-year-tabs.tsx'
import {
  BUDGET_FILTER_PARAMS,
  buildBudgetLevelPatch,
  CLEARED_BUDGET_FILTERS_PATCH,
  getBudgetPath,
} from './scope/budget-url.ts'
import { type EffectiveBudgetSearch, useBudgetUrlState, useHasKeywords } from './scope/use-budget-url-state.ts'

/** Shown when the subscription package has budget access but includes no year (D14), which is not an error. */
export function NoBudgetYears({ years }: { years: BudgetYears['years'] }) {
  const locked = years.map(({ fiscal_year }) => fiscal_year).toSorted((a, b) => b - a)
  return (
    <EmptyCard icon={Lock} title="แพ็กเกจของคุณยังไม่มีปีงบประมาณที่เปิดให้ดู">
      <p>ติดต่อทีมงานเพื่อเพิ่มปีงบประมาณในแพ็กเกจ แล้วรายการจะมาที่นี่</p>
      {locked.length > 0 && (
        <div className="mt-2 flex justify-center">
          <LockedBudgetYears years={locked} />
        </div>
      )}
    </EmptyCard>
  )
}

export function BudgetYearWithoutData({ year, otherYears }: { year: number; otherYears: readonly number[] }) {
  const { change } = useBudgetUrlState()
  return (
    <EmptyCard
      icon={CalendarOff}
      title={`ยังไม่มีข้อมูลงบประมาณปี ${year}`}
      actions={otherYears.map((otherYear) => (
        <Button key={otherYear} onClick={() => change({ year: otherYear, item: undefined })}>
          ดูปี {otherYear}
        </Button>
      ))}
    >
      ข้อมูลจะเข้ามาเมื่อสำนักงบประมาณเผยแพร่เอกสารของปีนี้
    </EmptyCard>
  )
}

export function NoBudgetKeywords() {
  const { change } = useBudgetUrlState()
  return (
    <EmptyCard
      icon={ListPlus}
      title="ยังไม่ได้ตั้งคำติดตาม"
      actions={
        <>
          <Link to="/watch" className={getButtonClasses('primary')}>
            ตั้งคำติดตาม
          </Link>
          <Button onClick={() => change({ scope: 'all' })}>ดูทุกรายการของปี</Button>
        </>
      }
    >
      หน้านี้แสดงรายการงบประมาณที่ตรงกับคำขององค์กร เพิ่มคำแรกแล้วรายการจะมาที่นี่
    </EmptyCard>
  )
}

export function NoBudgetItems({ page, search }: { page: BudgetPageResponse; search: EffectiveBudgetSearch }) {
  const { change } = useBudgetUrlState()
  const hasWords = useHasKeywords()
  if (page.total > 0) {
    const lastPage = Math.ceil(page.total / page.page_size)
    return (
      <EmptyState
        icon={SearchX}
        title={`ไม่มีหน้า ${formatCount(page.page)}`}
        actions={<Button onClick={() => change({ page: lastPage })}>ไปหน้าสุดท้าย ({formatCount(lastPage)})</Button>}
      />
    )
  }
  const isFiltered = BUDGET_FILTER_PARAMS.some((name) => search[name] !== undefined)
  const isDown = getBudgetPath(search).length > 0
  const elsewhere = page.elsewhere.filter(({ fiscal_year, n }) => fiscal_year !== search.year && n > 0)
  const subject = isFiltered ? 'รายการที่ตรงกับตัวกรองทั้งหมดนี้' : search.scope === 'all' ? 'รายการ' : 'รายการที่ตรงคำของคุณ'
  return (
    <EmptyState
      icon={isFiltered ? FilterX : CalendarX2}
      title={`ไม่มี${subject}ในปี ${search.year}`}
      actions={
        <>
          {elsewhere.map(({ fiscal_year, n }) => (
            <Button key={fiscal_year} onClick={() => change({ year: fiscal_year })}>
              ดูปี {fiscal_year} ({formatCount(n)} รายการ)
            </Button>
          ))}
          {isFiltered && <Button onClick={() => change(CLEARED_BUDGET_FILTERS_PATCH)}>ล้างตัวกรอง</Button>}
          {isDown && <Button onClick={() => change(buildBudgetLevelPatch(undefined))}>กลับไปทุกกระทรวง</Button>}
          {search.scope !== 'all' && hasWords && (
            <Button onClick={() => change({ scope: 'all' })}>ค้นในทุกรายการของปี</Button>
          )}
        </>
      }
    >
      {elsewhere.map(({ fiscal_year, n }) => `ปี ${fiscal_year} มี ${formatCount(n)} รายการ`).join(' · ')}
    </EmptyState>
  )
}
