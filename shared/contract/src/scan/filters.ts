import * as v from 'valibot'
import { endpoint, may, type ModuleName } from '../endpoint.ts'
import { Uuid, atMost, exact, required } from '../fields.ts'
import { limits } from '../limits.ts'
import { byId } from './params.ts'

const Text = v.string('Text.')

/**
 * A search of the scan list that a user has saved by a name; `sortColumn` and `sortDirection` as in the list's
 * address. Of the other lists it is a view: the whole address.
 */
export const ScanFilter = v.object({
  id: Uuid,
  name: Text,
  search: Text,
  sortColumn: Text,
  sortDirection: Text,
  /** The rest is of views; servers of the version before know none of it. */
  query: v.optional(Text),
  isShared: v.optional(v.boolean('Yes or no.')),
  isOwn: v.optional(v.boolean('Yes or no.')),
})
export type ScanFilter = v.InferOutput<typeof ScanFilter>

/** The form that names a filter. */
export const FilterName = exact({
  name: v.pipe(
    required(() => 'Please enter a name.'),
    v.trim(),
    v.nonEmpty('Please enter a name.'),
    v.maxLength(limits.filterNameMaxChars, () => atMost(limits.filterNameMaxChars)),
  ),
})
export type FilterName = v.InferOutput<typeof FilterName>

/** The lists that have filters or views, and the module that a viewer has to list for those of others. */
export const viewPlaces = {
  scan: 'Scan',
  worklist: 'Scan',
  complaint: 'Complaint',
  organization: 'Organization',
  registration: 'Registration',
  user: 'BusinessUser',
  audit: 'Audit',
  alert: 'Audit',
} as const satisfies Record<string, ModuleName>
export type ViewPlace = keyof typeof viewPlaces
const Place = v.picklist(Object.keys(viewPlaces) as ViewPlace[], 'This is not a list that has views.')

/**
 * Not in the specification: the viewer's own filters, by name; of views also those that people of the organization
 * share.
 */
export const listFilters = endpoint({
  method: 'GET',
  path: '/Scan/listFilters',
  summary: "Saved searches of the viewer's scan list, or views of another list.",
  needs: may('Scan', 'List'),
  query: exact({ place: v.optional(Place) }),
  answer: v.array(ScanFilter, 'A list.'),
})

/** Not in the specification. A name that the viewer already uses is refused with 409. */
export const addFilter = endpoint({
  method: 'POST',
  path: '/Scan/addFilter',
  summary: 'Keep a search of the scan list, or a view of another list, by a name.',
  needs: may('Scan', 'List'),
  body: exact({
    ...FilterName.entries,
    search: v.pipe(
      v.string('The search must be text.'),
      v.maxLength(limits.searchMaxChars, () => atMost(limits.searchMaxChars)),
    ),
    sortColumn: v.pipe(
      v.string('The sortColumn must be text.'),
      v.regex(/^\d{0,3}$/, 'This is not the number of a column.'),
    ),
    sortDirection: v.picklist(['asc', 'desc', ''], 'The direction can be asc, desc or empty.'),
    place: v.optional(Place),
    query: v.optional(
      v.pipe(
        v.string('The query must be text.'),
        v.maxLength(limits.viewQueryMaxChars, () => atMost(limits.viewQueryMaxChars)),
      ),
    ),
    isShared: v.optional(v.boolean('Yes or no.')),
  }),
  answer: ScanFilter,
})

/** Not in the specification. */
export const renameFilter = endpoint({
  method: 'PUT',
  path: '/Scan/renameFilter/:id',
  summary: 'Rename a saved search.',
  needs: may('Scan', 'List'),
  params: byId,
  body: FilterName,
  answer: ScanFilter,
})

/** Not in the specification. */
export const removeFilter = endpoint({
  method: 'DELETE',
  path: '/Scan/removeFilter/:id',
  summary: 'Delete a saved search.',
  needs: may('Scan', 'List'),
  params: byId,
})
