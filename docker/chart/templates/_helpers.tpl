{{- define "ovation.name" -}}
{{- if eq .Release.Name .Chart.Name }}{{ .Chart.Name }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" }}{{ end -}}
{{- end }}

{{- define "ovation.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "ovation.labels" -}}
{{ include "ovation.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "ovation.image" -}}
{{ .Values.image.repository }}{{ if .Values.image.digest }}@{{ .Values.image.digest }}{{ else }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ end }}
{{- end }}

{{- define "ovation.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile: {type: RuntimeDefault}
{{- end }}

{{- define "ovation.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: {drop: [ALL]}
{{- end }}

{{/* Environment of the service and of its commands. */}}
{{- define "ovation.env" -}}
{{- $bundled := .Values.bundled.enabled }}
{{- $name := include "ovation.name" . }}
- {name: SERVER_FORWARDHEADERSSTRATEGY, value: {{ .Values.ingress.enabled | ternary "native" "none" }}}
- {name: MANAGEMENT_SERVER_PORT, value: "8081"}
{{- if eq .Values.migration.mode "hook" }}
- {name: SPRING_FLYWAY_ENABLED, value: "false"}
{{- end }}
- name: SPRING_DATASOURCE_URL
  value: {{ $bundled | ternary (printf "jdbc:postgresql://%s-postgres/ovation" $name) .Values.postgres.url | required "postgres.url is missing, or bundled.enabled" | quote }}
- {name: SPRING_DATASOURCE_USERNAME, value: {{ .Values.postgres.username | quote }}}
{{- with .Values.postgres.replicaUrl }}
- {name: OVATION_POSTGRES_REPLICA_URL, value: {{ . | quote }}}
{{- end }}
{{- with .Values.postgres.migrationUsername }}
- {name: SPRING_FLYWAY_USER, value: {{ . | quote }}}
{{- end }}
{{- if .Values.redis.sentinel.nodes }}
- {name: SPRING_DATA_REDIS_SENTINEL_MASTER, value: {{ .Values.redis.sentinel.master | required "redis.sentinel.master is missing" | quote }}}
- {name: SPRING_DATA_REDIS_SENTINEL_NODES, value: {{ .Values.redis.sentinel.nodes | quote }}}
{{- else }}
- name: SPRING_DATA_REDIS_HOST
  value: {{ $bundled | ternary (printf "%s-redis" $name) .Values.redis.host | required "redis.host or redis.sentinel is missing, or bundled.enabled" | quote }}
- {name: SPRING_DATA_REDIS_PORT, value: {{ .Values.redis.port | quote }}}
{{- end }}
{{- with .Values.redis.username }}
- {name: SPRING_DATA_REDIS_USERNAME, value: {{ . | quote }}}
{{- end }}
{{- if .Values.redis.tls }}
- {name: SPRING_DATA_REDIS_SSL_ENABLED, value: "true"}
{{- end }}
{{- if $bundled }}
- name: SPRING_DATASOURCE_PASSWORD
  valueFrom: {secretKeyRef: {name: {{ $name }}-bundled, key: postgres}}
{{- end }}
{{- if or .Values.propertySecrets .Values.migration.propertySecrets }}
{{- /* Optional: with secrets of the migration alone, only its Job has the folder. */}}
- {name: SPRING_CONFIG_IMPORT, value: "optional:configtree:/run/config/*/"}
{{- end }}
{{- if .Values.access.keysSecret }}
- {name: OVATION_ACCESS_KEYS, value: /run/secrets/keys/keys.yaml}
{{- end }}
{{- with .Values.jvmOptions }}
- {name: JAVA_TOOL_OPTIONS, value: {{ . | quote }}}
{{- end }}
{{- range $key, $value := .Values.settings }}
- {name: {{ $key }}, value: {{ $value | quote }}}
{{- end }}
{{- end }}

{{- define "ovation.mounts" -}}
- {name: tmp, mountPath: /tmp}
{{- range .Values.propertySecrets }}
- {name: property-{{ . }}, mountPath: /run/config/{{ . }}, readOnly: true}
{{- end }}
{{- range .Values.fileSecrets }}
- {name: file-{{ . }}, mountPath: /run/secrets/{{ . }}, readOnly: true}
{{- end }}
{{- end }}

{{- define "ovation.volumes" -}}
- {name: tmp, emptyDir: {}}
{{- range .Values.propertySecrets }}
- {name: property-{{ . }}, secret: {secretName: {{ . }}}}
{{- end }}
{{- range .Values.fileSecrets }}
- {name: file-{{ . }}, secret: {secretName: {{ . }}}}
{{- end }}
{{- end }}
