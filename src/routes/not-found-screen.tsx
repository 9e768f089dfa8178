import { queryClient } from '#src/api/http/query-client.ts'
import { organisationQuery } from '#src/api/keyword/organisations.ts'
import { userQuery } from '#src/api/user/users.ts'
import { NotFoundPage } from '#src/pages/not-found/not-found-page.tsx'
import { AppLayout } from './layout/app-layout.tsx'

/** Any other path: inside the common layout for those who are signed in, on its own for everybody else. */
export function NotFoundScreen() {
  const accountIsHere =
    queryClient.getQueryData(userQuery.queryKey) && queryClient.getQueryData(organisationQuery.queryKey)
  if (!accountIsHere) return <NotFoundPage signedIn={false} />
  return (
    <AppLayout>
      <NotFoundPage signedIn />
    </AppLayout>
  )
}
