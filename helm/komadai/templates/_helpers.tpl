{{- define "komadai.fullname" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "komadai.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "komadai.labels" -}}
{{ include "komadai.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/part-of: komadai
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "komadai.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}

{{- define "komadai.serviceAccountName" -}}
{{- if .Values.serviceAccount.name -}}
{{ .Values.serviceAccount.name }}
{{- else if .Values.serviceAccount.create -}}
{{ include "komadai.fullname" . }}
{{- else -}}
default
{{- end -}}
{{- end -}}

{{- /* Where a service's pods are: a headless name, so that clients see and balance over them all. */ -}}
{{- define "komadai.target" -}}
{{- $root := index . 0 -}}{{- $name := index . 1 -}}
{{- $host := printf "%s-%s" (include "komadai.fullname" $root) $name -}}
dns:///{{ $host }}.{{ $root.Release.Namespace }}.svc.{{ $root.Values.clusterDomain }}:50051
{{- end -}}

{{- /* The files of tls.existingSecret, for servers and for the command line. */ -}}
{{- define "komadai.tlsEnv" -}}
{{- if .Values.tls.existingSecret -}}
- {name: KOMADAI_TLS_CERTIFICATE, value: /run/secrets/komadai-tls/tls.crt}
- {name: KOMADAI_TLS_KEY, value: /run/secrets/komadai-tls/tls.key}
- {name: KOMADAI_TLS_CA, value: /run/secrets/komadai-tls/ca.crt}
{{- if .Values.tls.mutual }}
- {name: KOMADAI_TLS_CLIENT_CA, value: /run/secrets/komadai-tls/ca.crt}
{{- end }}
{{- end -}}
{{- end -}}

{{- define "komadai.tlsVolume" -}}
name: tls
secret: {secretName: {{ .Values.tls.existingSecret }}, defaultMode: 0440}
{{- end -}}

{{- define "komadai.tlsMount" -}}
{name: tls, mountPath: /run/secrets/komadai-tls, readOnly: true}
{{- end -}}

{{- /* A probe by health name; the kubelet's own speaks no TLS. */ -}}
{{- define "komadai.probe" -}}
{{- $root := index . 0 -}}{{- $health := index . 1 -}}
{{- if $root.Values.tls.existingSecret -}}
exec: {command: [komadai, health, --target, "localhost:50051", --service, {{ $health | quote }}]}
{{- else -}}
grpc: {port: 50051, service: {{ $health | quote }}}
{{- end -}}
{{- end -}}

{{- define "komadai.env" -}}
{{- $root := .root -}}
- {name: KOMADAI_LISTEN, value: "0.0.0.0:50051"}
- {name: KOMADAI_METRICS_LISTEN, value: "0.0.0.0:9464"}
- {name: KOMADAI_LOG_LEVEL, value: {{ $root.Values.settings.logLevel | quote }}}
- {name: KOMADAI_ALLOW_TEST_PLAYERS, value: {{ $root.Values.settings.allowTestPlayers | quote }}}
- {name: KOMADAI_OIDC_AUDIENCE, value: {{ $root.Values.settings.oidcAudience | quote }}}
- {name: KOMADAI_PLAYER_CALLS_PER_SECOND, value: {{ $root.Values.settings.playerCallsPerSecond | quote }}}
- {name: KOMADAI_ANONYMOUS_CALLS_PER_SECOND, value: {{ $root.Values.settings.anonymousCallsPerSecond | quote }}}
- {name: KOMADAI_ADDRESS_CALLS_PER_SECOND, value: {{ $root.Values.settings.addressCallsPerSecond | quote }}}
- {name: KOMADAI_TRUSTED_PROXIES, value: {{ $root.Values.settings.trustedProxies | quote }}}
- {name: KOMADAI_DRAIN_DELAY, value: "{{ $root.Values.drain.noticeSeconds }}s"}
- {name: KOMADAI_SHUTDOWN_GRACE, value: "{{ $root.Values.drain.graceSeconds }}s"}
- {name: KOMADAI_TOKEN_SECRET_FILE, value: /run/secrets/komadai/token}
{{- with include "komadai.tlsEnv" $root }}
{{ . }}
{{- end }}
{{- if has "postgres" .service.stores }}
- name: KOMADAI_POSTGRES_URL
  valueFrom:
    secretKeyRef:
      name: {{ $root.Values.secrets.postgres.existingSecret }}
      key: {{ $root.Values.secrets.postgres.key }}
{{- end }}
{{- if has "redis" .service.stores }}
- name: KOMADAI_REDIS_URL
  {{- if $root.Values.redis.existingSecret }}
  valueFrom:
    secretKeyRef:
      name: {{ $root.Values.redis.existingSecret }}
      key: {{ $root.Values.redis.key }}
  {{- else }}
  value: {{ $root.Values.redis.url | quote }}
  {{- end }}
{{- end }}
{{- range .service.peers }}
- name: KOMADAI_PEER_{{ upper . }}
  value: {{ include "komadai.target" (list $root .) | quote }}
{{- end }}
{{- range $name, $value := merge (deepCopy .service.env) $root.Values.settings.extraEnv }}
- {name: {{ $name }}, value: {{ $value | quote }}}
{{- end }}
{{- end -}}

{{- /* What `komadai demo --target` takes: every service by name. */ -}}
{{- define "komadai.targets" -}}
{{- $targets := list -}}
{{- range $name, $service := .Values.services -}}
{{- if $service.enabled -}}
{{- $targets = append $targets (printf "%s=%s" $name (include "komadai.target" (list $ $name))) -}}
{{- end -}}
{{- end -}}
{{ join "," $targets }}
{{- end -}}
