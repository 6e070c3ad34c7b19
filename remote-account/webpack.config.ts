import { remoteConfig } from '@dmp/build'

export default remoteConfig(import.meta.dirname)
