import * as v from 'valibot'
import { Lookup } from './complaint.ts'
import { endpoint } from './endpoint.ts'

/** 7.36: the list of regions. */
export const list = endpoint({
  method: 'GET',
  path: '/Region/list',
  summary: 'Regions.',
  needs: 'session',
  answer: v.array(Lookup, 'A list.'),
})
