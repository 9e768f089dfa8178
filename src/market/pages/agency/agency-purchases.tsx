import { Link } from '@tanstack/react-router'
import { labelOf, PROJECT_METHOD_TYPES, PROJECT_METHODS } from '#contract/catalogue/project.ts'
import { printAgencySearch } from '#contract/market/agency-params.ts'
import { formatBahtCompact } from '#contract/thai/thai-number.ts'
import { countText } from '#src/lib/money-text.ts'
import { useSteps } from '#src/lib/use-steps.ts'
import { OpenRows } from '#src/market/figure-scope/open-rows.tsx'
import { blockScope } from '#src/market/figure-scope/scope-text.ts'
import { Button } from '#src/ui/button.tsx'
import { BarChart } from '#src/ui/chart/bar-chart.tsx'
import { ChartFigure } from '#src/ui/chart/chart-figure.tsx'
import { EmptyValue } from '#src/ui/empty-value.tsx'
import type { BlockProps } from './block-props.ts'

type Row = {
  readonly key: string
  readonly name: string
  readonly n: number
  readonly value: number | null
  readonly rows: string
}

const money = (value: number | null) => (value === null ? 'ไม่ทราบมูลค่า' : `${formatBahtCompact(value)} บาท`)

type KindsProps = {
  title: string
  what: string
  scope: string
  empty: string
  rows: readonly Row[]
  openRows: (rows: string) => void
}

function Kinds({ title, what, scope, empty, rows, openRows }: KindsProps) {
  const { shown, next, more } = useSteps(rows)
  return (
    <ChartFigure
      title={title}
      scope={scope}
      empty={rows.length === 0 ? empty : undefined}
      table={{
        caption: title,
        columns: [what, 'งาน', 'มูลค่า (บาท)'],
        numeric: [1, 2],
        rows: rows.map(({ key, name, n, value, rows: figure }) => ({
          key,
          cells: [
            name,
            <OpenRows key="n" onOpen={() => openRows(figure)} of={name}>
              {countText(n)}
            </OpenRows>,
            value === null ? <EmptyValue key="value" /> : formatBahtCompact(value),
          ],
        })),
      }}
    >
      <BarChart
        label={title}
        rows={shown.map(({ key, name, n, value, rows: figure }) => ({
          key,
          label: name,
          value,
          text: money(value),
          note: `${countText(n)} งาน`,
          onOpen: () => openRows(figure),
        }))}
      />
      {next > 0 && (
        <Button size="sm" look="quiet" onClick={more} className="mt-2">
          แสดงอีก {countText(next)}
        </Button>
      )}
    </ChartFigure>
  )
}

export function AgencyPurchases({ answer, openRows }: Pick<BlockProps, 'answer' | 'openRows'>) {
  const { scope, decided, by_type, by_method, by_group } = answer
  const ofAll = blockScope(scope, decided, 'งานที่รู้ผล รวมที่บุคคลธรรมดาชนะ')
  const matched = by_group.reduce((sum, { n }) => sum + n, 0)
  return (
    <>
      <Kinds
        title="ซื้ออะไร"
        what="ประเภทการจัดหา"
        scope={ofAll}
        empty="ยังไม่มีงานที่รู้ผลในขอบเขตนี้"
        rows={by_type.map(({ method_type: type, n, value }) => ({
          key: type,
          name: labelOf(PROJECT_METHOD_TYPES, type),
          n,
          value,
          rows: `type:${type}`,
        }))}
        openRows={openRows}
      />
      <Kinds
        title="ซื้อด้วยวิธีใด"
        what="วิธีจัดหา"
        scope={ofAll}
        empty="ยังไม่มีงานที่รู้ผลในขอบเขตนี้"
        rows={by_method.map(({ method, n, value }) => ({
          key: method,
          name: labelOf(PROJECT_METHODS, method),
          n,
          value,
          rows: `method:${method}`,
        }))}
        openRows={openRows}
      />
      <Kinds
        title="ตรงกลุ่มคำของเรา"
        what="กลุ่มคำ"
        scope={`โครงการของเราที่หน่วยงานนี้ในขอบเขต ทั้งที่รู้ผลและยังไม่รู้ผล มูลค่านับเฉพาะที่รู้ผล โครงการหนึ่งอยู่ได้หลายกลุ่ม · ${countText(matched)} ครั้ง`}
        empty="ไม่มีโครงการของหน่วยงานนี้ที่ตรงคำติดตามในขอบเขตนี้"
        rows={by_group.map(({ group, n, value }) => ({
          key: String(group?.id ?? ''),
          name: group?.name ?? 'คำที่ไม่จัดกลุ่ม',
          n,
          value,
          rows: `group:${group?.id ?? ''}`,
        }))}
        openRows={openRows}
      />
    </>
  )
}

/** Hidden when the agency has only one unit. */
export function AgencyUnits({ answer, search, openRows }: Pick<BlockProps, 'answer' | 'search' | 'openRows'>) {
  const { results, total } = answer.units
  const { shown, next, more } = useSteps(results)
  if (total < 2) return null
  const { rows: _rows, page: _page, ...stays } = search
  return (
    <ChartFigure
      title="หน่วยซื้อในสังกัด"
      scope={`งานที่รู้ผลของทั้งหน่วยงาน ตามมูลค่า · ${countText(total)} หน่วยซื้อ${total > results.length ? ` แสดง ${countText(results.length)} แรก` : ''}`}
      table={{
        caption: 'หน่วยซื้อในสังกัด',
        columns: ['หน่วยซื้อ', 'งาน', 'มูลค่า (บาท)'],
        numeric: [1, 2],
        rows: results.map(({ unit, n, value }) => ({
          key: unit,
          cells: [
            unit,
            <OpenRows key="n" onOpen={() => openRows(`unit:${unit}`)} of={unit}>
              {countText(n)}
            </OpenRows>,
            value === null ? <EmptyValue key="value" /> : formatBahtCompact(value),
          ],
        })),
      }}
    >
      <ul aria-label="หน่วยซื้อในสังกัด" className="gap-x-8 lg:columns-2">
        {shown.map(({ unit, n, value }) => (
          <li
            key={unit}
            className="flex break-inside-avoid items-baseline justify-between gap-3 border-b border-line py-1.5"
          >
            <Link
              to="/agencies/$code"
              params={(now) => now as { code: string }}
              search={printAgencySearch({ ...stays, ...(unit === search.unit ? {} : { unit }) })}
              aria-current={unit === search.unit || undefined}
              className="min-w-0 rounded-control decoration-line-strong underline-offset-4 hover:underline touch:min-h-11 aria-[current]:font-semibold"
            >
              {unit === answer.agency.name ? `${unit} (ไม่ระบุหน่วยซื้อ)` : unit}
            </Link>
            <span className="shrink-0 text-right tabular-nums">
              {money(value)}
              <span className="block text-xs text-ink-muted">
                <OpenRows onOpen={() => openRows(`unit:${unit}`)} of={unit}>
                  {countText(n)} งาน
                </OpenRows>
              </span>
            </span>
          </li>
        ))}
      </ul>
      {next > 0 && (
        <Button size="sm" look="quiet" onClick={more} className="mt-2">
          แสดงอีก {countText(next)}
        </Button>
      )}
    </ChartFigure>
  )
}
