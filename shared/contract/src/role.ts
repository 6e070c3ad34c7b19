import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { Role } from './user.ts'

/** 7.36: the list of roles. */
export const list = endpoint({
  method: 'GET',
  path: '/role/list',
  summary: 'Roles.',
  needs: 'session',
  answer: v.array(Role, 'A list.'),
})
