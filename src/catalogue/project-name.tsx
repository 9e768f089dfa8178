import { Link } from '@tanstack/react-router'
import { classNames } from '#src/lib/class-names.ts'

type ProjectNameProps = {
  project: { readonly project_id: string; readonly name: string; readonly in_report: boolean }
  className?: string | undefined
}

/** Name of a project, which links to its page if the project is in the organisation's report. */
export function ProjectName({ project: { project_id: id, name, in_report: inReport }, className }: ProjectNameProps) {
  if (!inReport)
    return (
      <span className={classNames('wrap-anywhere', className)} title="ไม่อยู่ในรายงานขององค์กร จึงเปิดไม่ได้">
        {name}
      </span>
    )
  return (
    <Link
      to="/report/$id"
      params={{ id }}
      className={classNames(
        'rounded-control decoration-line-strong underline-offset-4 wrap-anywhere hover:underline',
        className,
      )}
    >
      {name}
    </Link>
  )
}
