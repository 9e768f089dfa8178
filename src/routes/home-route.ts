import { createRoute, redirect } from '@tanstack/react-router'
import { rootRoute } from './root-route.ts'

export const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/login', replace: true })
  },
})
