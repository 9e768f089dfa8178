import { Link } from '@tanstack/react-router'
import { EmptyLists, STARTER_CLASSES, TemplateStarterText } from '#src/features/keywords/empty-lists.tsx'
import { linkTo } from '#src/features/navigation/nav-tabs.tsx'

type WatchStartersProps = { isLocked: boolean; onPaste: () => void; onPickDepartments: () => void }

/** No word yet: begin with what is sold, with a list that is there already, or with departments. */
export function WatchStarters(props: WatchStartersProps) {
  return (
    <EmptyLists
      {...props}
      templates={
        <Link to={linkTo('/group-watch')} className={STARTER_CLASSES}>
          <TemplateStarterText />
        </Link>
      }
    />
  )
}
