import { labelOf, PROJECT_CRITERIA, PROJECT_METHOD_TYPES, PROJECT_METHODS } from '#contract/project.ts'
import { formatBahtCompact } from '#contract/thai-number.ts'
import { countText, percentText } from '#src/lib/money-text.ts'
import { EmptyValue } from '#src/ui/empty-value.tsx'
import { type BlockProps, blockScope } from './block-props.ts'
import { SliceFigure } from './slice-figure.tsx'

/** Methods by which one company alone is asked. */
const SPECIFIC: readonly string[] = ['specific', 'consultant_specific', 'design_specific']
/** Provinces that are drawn. */
const PROVINCES_SHOWN = 12

/** By method, with how much was won where nobody else was asked. */
export function MethodBlock({ detail: { by_method, figures, scope }, openRows }: BlockProps) {
  const specific = by_method.filter(({ method }) => SPECIFIC.includes(method))
  const wins = specific.reduce((sum, slice) => sum + slice.wins, 0)
  const known = specific.flatMap(({ value }) => (value === null ? [] : [value]))
  const value = known.reduce((sum, one) => sum + one, 0)
  return (
    <SliceFigure
      title="วิธีจัดหา"
      what="วิธีจัดหา"
      scope={
        <>
          {blockScope(scope, figures.wins)}
          {figures.wins > 0 && (
            <span className="mt-1 block text-sm tabular-nums">
              ชนะโดยวิธีเฉพาะเจาะจง {countText(wins)} จาก {countText(figures.wins)} งาน (
              {percentText(wins / figures.wins)})
              {known.length > 0 &&
                figures.value !== null &&
                figures.value > 0 &&
                ` มูลค่า ${formatBahtCompact(value)} บาท (${percentText(value / figures.value)})`}
              {wins > 0 && ' งานเหล่านี้แทบไม่มีการแข่งขัน'}
            </span>
          )}
        </>
      }
      slices={by_method.map(({ method, ...slice }) => ({
        ...slice,
        rows: `method:${method}`,
        label: labelOf(PROJECT_METHODS, method),
      }))}
      openRows={openRows}
    />
  )
}

export function TypeBlock({ detail: { by_type, figures, scope }, openRows }: BlockProps) {
  return (
    <SliceFigure
      title="ประเภทการจัดหา"
      what="ประเภท"
      scope={blockScope(scope, figures.wins)}
      slices={by_type.map(({ method_type, ...slice }) => ({
        ...slice,
        rows: `type:${method_type}`,
        label: labelOf(PROJECT_METHOD_TYPES, method_type),
      }))}
      openRows={openRows}
    />
  )
}

/** Price alone against price with other criteria: wins, and at which discount. */
export function CriteriaBlock({ detail: { by_criteria, figures, scope }, openRows }: BlockProps) {
  return (
    <SliceFigure
      title="เกณฑ์การพิจารณา"
      what="เกณฑ์"
      scope={blockScope(scope, figures.wins)}
      columns={['ส่วนลดถ่วงน้ำหนัก', 'n ของส่วนลด']}
      slices={by_criteria.map(({ criteria, weighted_discount, n_discount, wins, value }) => ({
        wins,
        value,
        rows: `criteria:${criteria}`,
        label: labelOf(PROJECT_CRITERIA, criteria),
        note:
          weighted_discount === null
            ? 'ไม่ทราบส่วนลด'
            : `ส่วนลด ${percentText(weighted_discount)} (n = ${countText(n_discount)})`,
        cells: [
          weighted_discount === null ? <EmptyValue key="discount" /> : percentText(weighted_discount),
          countText(n_discount),
        ],
      }))}
      openRows={openRows}
    />
  )
}

export function ProvinceBlock({ detail: { by_province, figures, scope }, openRows }: BlockProps) {
  return (
    <SliceFigure
      title="จังหวัดของโครงการ"
      what="จังหวัด"
      scope={blockScope(scope, figures.wins)}
      most={PROVINCES_SHOWN}
      // Short names: two bars fit side by side.
      className="lg:[&_li]:break-inside-avoid lg:[&_ul]:columns-2 lg:[&_ul]:gap-10"
      slices={by_province.map(({ province, ...slice }) => ({
        ...slice,
        rows: `province:${province ?? ''}`,
        label: province ?? 'ไม่ทราบจังหวัด',
      }))}
      openRows={openRows}
    />
  )
}
