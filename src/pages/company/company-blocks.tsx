import type { ReactNode } from 'react'
import { BlockBoundary } from '#src/features/block-boundary/block-boundary.tsx'
import { lazyPart } from '#src/lib/lazy-part.ts'
import type { BlockProps } from './block-props.ts'
import { CompanyFigures } from './company-figures.tsx'
import { DepartmentBlock } from './department-block.tsx'
import { DiscountBlock } from './discount-block.tsx'
import { CriteriaBlock, MethodBlock, ProvinceBlock, TypeBlock } from './mix-blocks.tsx'
import { SizeBands } from './size-bands.tsx'
import { YearBlock } from './year-block.tsx'

// Below what is seen first.
const CompetitorBlock = lazyPart(() => import('./competitor-block.tsx'), 'CompetitorBlock')
const TimelineBlock = lazyPart(() => import('./timeline-block.tsx'), 'TimelineBlock')

const COLUMN = 'flex min-w-0 flex-col gap-4'

type CompanyBlocksProps = BlockProps & {
  /** As it stands in the address. */
  name: string
  /** The projects: last, as they are many. */
  children: ReactNode
}

/** Key figures, breakdowns, competitors, time line, projects. A block that cannot be drawn leaves the others. */
export function CompanyBlocks({ name, children, ...props }: CompanyBlocksProps) {
  const { detail } = props
  const resetKey = `${detail.company.id} ${JSON.stringify(props.search)}`
  const block = (title: string, content: ReactNode) => (
    <BlockBoundary name={title} resetKey={resetKey}>
      {content}
    </BlockBoundary>
  )
  return (
    <>
      <CompanyFigures {...props} />
      {detail.figures.wins > 0 && (
        <div className="grid gap-4 lg:grid-cols-2">
          <div className={COLUMN}>
            {block('รายปี', <YearBlock {...props} />)}
            {block('หน่วยงาน', <DepartmentBlock {...props} />)}
          </div>
          <div className={COLUMN}>
            {block('ส่วนลด', <DiscountBlock {...props} />)}
            {block('ส่วนลดตามขนาดงาน', <SizeBands {...props} />)}
            {block('วิธีจัดหา', <MethodBlock {...props} />)}
            {block('ประเภทการจัดหา', <TypeBlock {...props} />)}
            {block('เกณฑ์การพิจารณา', <CriteriaBlock {...props} />)}
          </div>
          <div className="min-w-0 lg:col-span-2">{block('จังหวัด', <ProvinceBlock {...props} />)}</div>
        </div>
      )}
      {block('คู่แข่ง', <CompetitorBlock {...props} />)}
      {block('เส้นเวลา', <TimelineBlock name={name} detail={detail} search={props.search} />)}
      {children}
    </>
  )
}
