import * as v from 'valibot'
import { profile } from './account.ts'
import { endpoint, may } from './endpoint.ts'
import { Email, Uuid, seenUpdatedDate, exact } from './fields.ts'
import { pageQuery } from './paging.ts'
import { Availability, RoleChoice, User, UserDraft, contactEntries } from './user.ts'

const byId = exact({ id: Uuid })
const sortable = ['status', 'organization', 'firstName', 'lastName', 'userType', 'email'] as const

/** 7.16, 2.60: the list of users. */
export const list = endpoint({
  method: 'GET',
  path: '/businessUser/list',
  summary: 'Business users that the viewer may see.',
  needs: may('BusinessUser', 'List'),
  query: exact(pageQuery(sortable)),
  answer: v.array(User, 'A list.'),
  sortable,
})

/** 7.16: one user by id. */
export const get = endpoint({
  method: 'GET',
  path: '/businessUser/get',
  summary: 'One business user.',
  needs: may('BusinessUser', 'Get'),
  query: byId,
  answer: User,
})

/** 7.16, 3.15: the viewer's own profile. */
export const updateProfile = endpoint({
  method: 'PUT',
  path: '/businessUser/update',
  summary: 'Update the own profile.',
  needs: 'session',
  body: exact({ ...contactEntries, seenUpdatedDate }),
  answer: User,
  renews: profile,
})

/** The edit screen of another user. */
export const update = endpoint({
  method: 'PUT',
  path: '/businessUser/update/:id',
  summary: 'Update title, names and phones of another user.',
  needs: may('BusinessUser', 'Update'),
  params: byId,
  body: exact({ ...contactEntries, seenUpdatedDate }),
  answer: User,
  renews: get,
})

/** 7.16, 3.16: the new user gets a temporary password by mail. */
export const add = endpoint({
  method: 'POST',
  path: '/businessUser/add',
  summary: 'Add a business user, who gets a temporary password by mail.',
  needs: may('BusinessUser', 'Add'),
  body: UserDraft,
  answer: User,
})

/** 7.17: lets a deactivated user in again. */
export const activateUser = endpoint({
  method: 'PUT',
  path: '/businessUser/activateUser/:id',
  summary: 'Activate a user.',
  needs: may('BusinessUser', 'Activate'),
  params: byId,
  answer: User,
  renews: get,
})
/** 7.17: ends all sessions of the user. */
export const deactivateUser = endpoint({
  method: 'PUT',
  path: '/businessUser/deactivateUser/:id',
  summary: 'Deactivate a user and end their sessions.',
  needs: may('BusinessUser', 'DeActivate'),
  params: byId,
  answer: User,
  renews: get,
})

/** 7.18, 6.08: the roles that this viewer may give. */
export const listAddUserRoles = endpoint({
  method: 'GET',
  path: '/businessUser/listAddUserRoles',
  summary: 'Roles that the viewer may give to a new user.',
  needs: may('BusinessUser', 'ListAddUserRoles'),
  answer: v.array(RoleChoice, 'A list.'),
})

/** 7.19, 6.07: only for users who have not confirmed the account. */
export const resetTemporaryPassword = endpoint({
  method: 'POST',
  path: '/businessUser/resetTemporaryPassword/:id',
  summary: 'Mail a new temporary password to a user who has not confirmed the account.',
  needs: may('BusinessUser', 'ResetTemporaryPassword'),
  params: byId,
})

/** 7.20: only the configured terms address is accepted. */
export const sendUpdatedTermsOfUse = endpoint({
  method: 'POST',
  path: '/businessUser/sendUpdatedTermsOfUse/:termsLink',
  summary: 'Mail the updated terms of use to every active user.',
  needs: may('BusinessUser', 'SendUpdatedTermsOfUse'),
  params: exact({
    termsLink: v.pipe(v.string('Give the address of the terms.'), v.maxLength(2000, 'This address is too long.')),
  }),
})

/** 5.04: the uniqueness check of an email. */
export const emailAvailable = endpoint({
  method: 'GET',
  path: '/businessUser/emailAvailable',
  summary: 'Whether a new user may have this address.',
  needs: may('BusinessUser', 'Add'),
  query: exact({ email: Email }),
  answer: Availability,
})
