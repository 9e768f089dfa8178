import { appRoute } from './app-route.ts'
import { homeRoute } from './home-route.ts'
import { loginRoute } from './login-route.ts'
import { reportRoute } from './report-route.ts'
import { rootRoute } from './root-route.ts'

/** Every route that exists; `BUILT_SCREENS` in features/navigation/screens.ts names the same paths (tested). */
export const routeTree = rootRoute.addChildren([homeRoute, loginRoute, appRoute.addChildren([reportRoute])])
