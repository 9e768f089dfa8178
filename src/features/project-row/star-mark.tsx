import { Star } from 'lucide-react'
import { useRowMarks } from './row-marks.ts'

/** The star of a project that the user has bookmarked; nothing for the others. */
export function StarMark({ projectId }: { projectId: string }) {
  if (!useRowMarks().bookmarks.has(projectId)) return null
  return <Star aria-label="ติดดาวแล้ว" role="img" className="size-4 shrink-0 fill-star text-star" />
}
