import { hostConfig } from '@dmp/build'

export default hostConfig(import.meta.dirname)
