import { calls } from './calls.ts'
import { permits, roleNames } from './index.ts'
import { rightsOfRole } from './policy.ts'

/** Calls whose action has not the name of the call. */
const others: Readonly<Record<string, string>> = {
  'POST /ApiToken/getDevice': 'Add',
  'POST /ApiToken/approveDevice': 'Add',
  'POST /ApiToken/denyDevice': 'Add',
  'GET /Audit/listActivity': 'List',
  'GET /Audit/listEvents': 'List',
  'GET /Audit/getLastCheck': 'Check',
  'GET /Complaint/countOpen': 'List',
  'GET /Complaint/getCare': 'Get',
  'GET /Complaint/listAssignees': 'UpdateStatus',
  'PUT /Complaint/assign': 'UpdateStatus',
  'POST /Complaint/addMessage': 'Get',
  'GET /businessUser/emailAvailable': 'Add',
  'PUT /businessUser/activateUser': 'Activate',
  'PUT /businessUser/deactivateUser': 'DeActivate',
  'PUT /businessUser/update': 'Update',
  'PUT /Organization/deactivate': 'DeActivate',
  'GET /Organization/datastoreExists': 'Get',
  'GET /Organization/getReadiness': 'Get',
  'GET /Organization/getSetup': 'Add',
  'POST /Organization/testStorage': 'Add',
  'POST /Organization/testMail': 'Add',
  'PUT /Organization/dismissSetup': 'Update',
  'DELETE /Scan/removeSample': 'AddSample',
  'DELETE /Scan/purge': 'Delete',
  'PUT /Scan/undoDelete': 'Restore',
  'GET /Scan/listOwnDeletions': 'Restore',
  'POST /Scan/listDependents': 'Delete',
  'GET /Scan/listTransferScans': 'Transfer',
  'GET /Scan/listHolds': 'Hold',
  'PUT /Scan/endHold': 'Hold',
  'GET /Registration/countPending': 'List',
  'GET /Scan/getStorage': 'List',
  'GET /Scan/getArrivals': 'List',
  'GET /Scan/countShares': 'Share',
  'GET /Scan/listStudies': 'List',
  'GET /Scan/countStudies': 'List',
  'GET /Scan/getStudyKinds': 'List',
  'GET /Scan/listFilters': 'List',
  'POST /Scan/addFilter': 'List',
  'PUT /Scan/renameFilter': 'List',
  'DELETE /Scan/removeFilter': 'List',
  'POST /Scan/requestTransfer': 'Transfer',
  'GET /Scan/findDestination': 'Transfer',
  'GET /Scan/listTransfers': 'Transfer',
  'GET /Scan/listTransferProjects': 'Transfer',
  'GET /Scan/listHeld': 'Transfer',
  'GET /Scan/getHeld': 'Transfer',
  'GET /Scan/getHeldPicture': 'Transfer',
  'PUT /Scan/saveHeldChoice': 'Transfer',
  'PUT /Scan/decideHeld': 'Transfer',
  'GET /Scan/getTransferReport': 'Transfer',
  'PUT /Scan/stopTransfer': 'Transfer',
  'GET /Scan/getTransferRegions': 'Transfer',
  'GET /Scan/listShares': 'Share',
  'POST /Scan/listShareable': 'Share',
  'DELETE /Scan/revokeShare': 'Share',
  'GET /Release/status': 'List',
  'GET /Release/history': 'List',
  'POST /Release/promoteCanary': 'Canary',
  'POST /Release/stopCanary': 'Canary',
  'POST /Release/startCanary': 'Canary',
  'PUT /Release/sign': 'Publish',
  'GET /Release/judge': 'Get',
  'GET /Release/getPart': 'Get',
  'GET /Release/listErrors': 'Get',
  'PUT /Release/addMaps': 'Publish',
  'PUT /Release/addDrawn': 'Publish',
  'GET /Release/getHost': 'Get',
  'GET /Release/getFigures': 'Get',
  'PUT /Release/setBudgets': 'Publish',
  'GET /Release/getNotices': 'Get',
  'PUT /Release/setNotices': 'Update',
  'PUT /Release/switchNotices': 'Publish',
  'POST /Release/endPreviews': 'Preview',
  'GET /Release/listPreviews': 'Preview',
  'GET /Organization/getLogo': 'Get',
  'PUT /Organization/setLogo': 'Update',
  'DELETE /Organization/removeLogo': 'Update',
  'GET /Organization/getAlertRules': 'Get',
  'PUT /Organization/setAlertRules': 'Update',
  'GET /Audit/listAlerts': 'List',
  'GET /Audit/getAlert': 'List',
  'PUT /Audit/acknowledgeAlert': 'List',
  'GET /Organization/listExports': 'Export',
  'POST /Organization/startExport': 'Export',
  'PUT /Organization/endExport': 'Export',
  'POST /Organization/downloadExport': 'Export',
  'GET /Organization/listImports': 'Import',
  'POST /Organization/startImport': 'Import',
  'PUT /Organization/endImport': 'Import',
  'PUT /Webhook/pause': 'Update',
  'PUT /Webhook/resume': 'Update',
  'POST /Webhook/renewSecret': 'Update',
  'GET /Webhook/listDeliveries': 'Get',
  'GET /Webhook/getDelivery': 'Get',
  'POST /Webhook/sendTest': 'Update',
  'GET /Scan/getResult': 'Get',
  'POST /Webhook/replay': 'Update',
  'POST /Webhook/replaySince': 'Update',
  'POST /Release/keep': 'Update',
  'POST /Release/setTrust': 'Update',
  'POST /Release/addRound': 'Watch',
  'POST /Release/judgeRound': 'Watch',
  'GET /Release/getQuality': 'List',
  'GET /DicomPartner/getNode': 'List',
  'GET /DicomPartner/listCallers': 'List',
  'DELETE /DicomPartner/dismissCaller': 'Update',
  'PUT /DicomPartner/disable': 'Update',
  'PUT /DicomPartner/enable': 'Update',
}

/** Calls at an address of their own, whose action is another module's. */
const otherModules: Readonly<Record<string, readonly [module: string, action: string]>> = {
  'GET /Changes': ['Scan', 'List'],
  'POST /Station/tell': ['Scan', 'Upload'],
}

/** Who may do what, written once more: a slip of the pen in the policy is seen here. */
const holders: Readonly<Record<string, string>> = {
  'Complaint List Get Add ListTypes': 'super_admin sys_admin admin staff',
  'Complaint ListStatuses ListSeverities UpdateStatus UpdateSeverity': 'super_admin sys_admin',
  'Organization Get Update ListLicenses': 'super_admin sys_admin admin',
  'Organization List ListActivated Activate CreateDatastore AssignLicenses Add': 'super_admin sys_admin',
  'Organization DeActivate': 'super_admin',
  'Registration List Get Approve Reject': 'super_admin sys_admin',
  'Scan List Get Upload': 'super_admin sys_admin admin staff service_user',
  'Scan Share': 'super_admin sys_admin admin staff',
  'Scan Transfer ListConflicts SettleConflict AddSample ListBin Restore Hold': 'super_admin sys_admin admin',
  'Scan Download': 'super_admin admin staff',
  'Scan Delete': 'super_admin admin',
  'BusinessUser List Get Add Update Activate DeActivate ListAddUserRoles ResetTemporaryPassword':
    'super_admin sys_admin admin',
  'BusinessUser SendUpdatedTermsOfUse': 'super_admin sys_admin',
  'Audit List Get Export': 'super_admin sys_admin admin',
  'Audit Check': 'super_admin admin',
  'Release List Update Watch Get Publish Canary Activate Rollback Uncheck Preview': 'super_admin',
  'ApiToken List Get Add End': 'super_admin sys_admin admin',
  'Webhook List Get Add Update Delete': 'super_admin sys_admin admin',
  'DicomPartner List Get Add Update Delete': 'super_admin sys_admin admin',
  'Station List Delete': 'super_admin sys_admin admin',
}

const toPascalCase = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

describe('permissions', () => {
  const guarded = calls.flatMap(({ name, definition: { needs } }) =>
    typeof needs === 'string' ? [] : [[name.replace(/\/:.*/, ''), needs] as const],
  )

  it.each(guarded)('%s needs the action of its own module and name [6.02, 6.03]', (name, { module, action }) => {
    const [, area = '', word = ''] = name.split('/')
    const [ownModule, ownAction] = otherModules[name] ?? [area, others[name] ?? toPascalCase(word)]
    expect([module.toLowerCase(), action]).toEqual([ownModule.toLowerCase(), ownAction])
  })

  it.each(Object.entries(holders))('%s is for %s alone [6.01, 6.03]', (what, roles) => {
    const [module = '', ...actions] = what.split(' ')
    for (const action of actions) {
      const having = roleNames.filter((role) =>
        (rightsOfRole[role] as Record<string, readonly string[] | undefined>)[module]?.includes(action),
      )
      expect([action, [...having].sort()]).toEqual([action, roles.split(' ').sort()])
    }
  })

  it('asks nothing of a policy where a session is enough, and no policy of strangers [6.02]', () => {
    for (const { definition } of calls)
      if (typeof definition.needs === 'string') expect(permits([], definition.needs)).toBe(true)
  })
})
